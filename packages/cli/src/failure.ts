// The error that ends a command with exit code 1. An empty message means that the command has printed everything.

export class Failure extends Error {}
