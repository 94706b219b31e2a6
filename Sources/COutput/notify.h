#ifndef COUTPUT_NOTIFY_H
#define COUTPUT_NOTIFY_H

/* Sends it to the service manager that started us, where one did. Never waits. */
void notify_manager(const char *text);

#endif
