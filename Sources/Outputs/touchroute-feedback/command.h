/*
 * command.h: commands that give feedback.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COMMAND_H
#define COMMAND_H

/*
 * Runs a command by the shell and does not wait for it. It finds the feedback's name in
 * TOUCHROUTE_FEEDBACK, and the target's path in TOUCHROUTE_TARGET. While 8 of them run, no further
 * one does; that is said once.
 */
void command_run(const char *command, const char *name, const char *target);

#endif
