// What ends a command with exit code 1. Without a message everything was said already.

export class Failure extends Error {}
