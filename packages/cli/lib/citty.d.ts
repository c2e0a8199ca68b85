// The parser of command lines. It is in a module here so that it is not installed with an application.

export { type CommandDef, defineCommand, renderUsage, runCommand } from 'citty'
