// Codes of the operating system for a server that is gone or cannot be reached.

export const lostBySystem = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  // The path of a socket.
  'ENOENT',
  'EACCES',
] as const
