# SPDX-License-Identifier: GPL-3.0-or-later
# source_hash.pl FILE.i - prints a hash of preprocessed C that names of files, lines, comments and layout do not
# change: line markers are dropped, and white space but the one that parts two words. Literals stay as they are.
use strict;
use warnings;
use Digest::SHA qw(sha256_hex);
undef $/;
my $text = <>;
$text =~ s/^#(?!pragma).*\n//mg;
$text =~ s/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<=\w)(\s+)(?=\w)|\s+/defined $1 ? $1 : defined $2 ? ' ' : ''/ge;
print substr(sha256_hex($text), 0, 32), "\n";
