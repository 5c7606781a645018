/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - a web server in a child process, for tests of downloads: fixed answers by path. */
#ifndef ASSAY_TESTS_SERVER_H
#define ASSAY_TESTS_SERVER_H

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* An answer for a path: the whole of it, header and body. The list ends with { 0 }; other paths get 404. */
struct answer { const char *path, *text; };

struct server { pid_t child; int port; };

static inline void server_answer(int client, const struct answer *a)
{
    char request[2000] = "", path[200] = "";
    size_t n = 0;
    ssize_t got;
    while (n < sizeof request - 1 && !strstr(request, "\r\n\r\n") &&
           (got = read(client, request + n, sizeof request - 1 - n)) > 0)
        n += (size_t)got;
    const char *text = "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnone";
    if (sscanf(request, "GET %199s ", path) == 1)
        for (; a->path; a++)
            if (strcmp(a->path, path) == 0)
                text = a->text;
    if (write(client, text, strlen(text)) < 0)
        perror("server");
    close(client);
}

/* Serves the answers on a free port of this machine until server_stop, or until the test ends, also where an
 * assertion fails before. */
static inline struct server server_start(const struct answer *answers)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t size = sizeof at;
    struct server s = { 0 };
    int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0 || bind(socket_, (struct sockaddr *)&at, size) || listen(socket_, 16) ||
        getsockname(socket_, (struct sockaddr *)&at, &size))
        abort();
    s.port = ntohs(at.sin_port);
    fflush(stdout);
    s.child = fork();
    if (s.child < 0)
        abort();
    if (s.child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int client; s.child == 0 && (client = accept(socket_, NULL, NULL)) >= 0;)
        server_answer(client, answers);
    if (s.child == 0)
        _exit(0);
    close(socket_);
    return s;
}

static inline void server_stop(struct server *s)
{
    int status;
    kill(s->child, SIGKILL);
    waitpid(s->child, &status, 0);
}

#endif
