# style.gp - what all figures share. Colours: Okabe and Ito, distinct for all kinds of sight.
set encoding utf8
# A legend below gets a height of its own: the frame stays as large as with one inside.
BELOW = LEGEND eq 'below' ? ENTRIES : 0
# The size is that of a telephone's screen held upright, where 14 points can still be read; a page shows it larger.
# gnuplot_svg.js, beside the drawings, shows the values under the pointer and switches curves on and off.
if (exists('PAPER')) {
    set terminal pdfcairo size 4.75,3+0.2*BELOW enhanced font 'sans,10' # inches, for the article class of LaTeX
    set output NAME.'.pdf'
} else {
    set terminal svg size 560,HEIGHT dynamic enhanced mouse jsdir '.' font 'sans-serif,14' background '#ffffff'
    set output NAME.'.svg'
}
set datafile separator "\t"

set xlabel XLABEL.(NOTE eq '' ? '' : "\n".NOTE) noenhanced offset 0,0.4
set ylabel YLABEL noenhanced
set logscale xy
set border 3 linecolor '#555555'
set tics nomirror out textcolor '#333333'
set grid xtics ytics linetype 1 linecolor '#e6e6e6' linewidth 0.8
set key Left reverse invert noenhanced samplen 2.5 spacing 1.1
if (BELOW) {
    set key below center horizontal width 1
    set bmargin 4.6 + 1.1*BELOW + (NOTE eq '' ? 0 : 1)
} else { set key @LEGEND vertical }
set bars 0.6

set linetype 1 linecolor '#0072b2' linewidth 2 pointtype 7 pointsize 0.7   # the claim's algorithm
set linetype 2 linecolor '#d55e00' linewidth 2                            # the theorem
set linetype 3 linecolor '#888888' linewidth 1.5 pointtype 8 pointsize 0.8 # the control
set linetype 4 linecolor '#a8c8de' linewidth 3 pointtype 7 pointsize 1.1  # the claim's algorithm, the night before
set linetype 11 linecolor '#d55e00' linewidth 2 pointtype 5 pointsize 0.7  # rival and others
set linetype 12 linecolor '#009e73' linewidth 2 pointtype 9 pointsize 0.8
set linetype 13 linecolor '#cc79a7' linewidth 2 pointtype 11 pointsize 0.8
set linetype 14 linecolor '#e69f00' linewidth 2 pointtype 13 pointsize 0.8
set linetype 15 linecolor '#56b4e9' linewidth 2 pointtype 4 pointsize 0.7
set linetype 16 linecolor '#000000' linewidth 2 pointtype 6 pointsize 0.7
set linetype 17 linecolor '#009e73' linewidth 2 pointtype 12 pointsize 0.8 dashtype 4
set linetype 18 linecolor '#cc79a7' linewidth 2 pointtype 10 pointsize 0.8 dashtype 4

# A row belongs to one series; the others do not exist for it. Nothing leaves the frame but lines.
x(s) = strcol(1) eq s ? column(3) : NaN
y(k) = column(k) >= YMIN && column(k) <= YMAX ? column(k) : NaN
# An interval open on both sides is no interval.
open(k) = !(column(5) > 0) && !(column(6) < 1e300)
lo(k) = open(0) ? column(4) : column(k) > YMIN ? column(k) : YMIN
hi(k) = open(0) ? column(4) : column(k) < YMAX ? column(k) : YMAX
# The last curve first: what is drawn last lies on top and stands first in the legend.
nth(k) = curves ? curves + 1 - k : 1
