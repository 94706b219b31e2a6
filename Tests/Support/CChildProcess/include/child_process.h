/* Starting a program with just the descriptors that it is given: the functions that close all others
 * and change the folder are glibc's own, and so hidden from Swift. */
#pragma once
#include <stddef.h>
#include <sys/types.h>

/* Starts a program. It gets descriptors[0] as 0 and so on, and where one is -1 the caller's own of that
 * number; all other descriptors are closed. It hears all signals, whatever the caller's thread does.
 * directory is NULL for the caller's. 0, or an error number. */
int child_process_start(pid_t *pid, const char *program, char *const *words, char *const *variables,
                        const char *directory, const int *descriptors, size_t count);

/*
 * A pseudo-terminal's side of the keyboard, non-blocking and close-on-exec, and the path of the
 * side of the program, cut at size. -1 with errno set on failure.
 */
int child_terminal_open(char *path, size_t size);
