// The log of a kernel.

/** Receives the messages of the kernel; a pino logger has these methods. */
export interface Logger {
  info(message: string): void
  warn(message: string): void
  error(object: unknown, message?: string): void
}
