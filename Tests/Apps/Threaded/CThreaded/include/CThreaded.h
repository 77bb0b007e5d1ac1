/* Linking it starts a thread before main: what some libraries do. */
int threaded_is_linked(void);
