// Requires @plinth/transfer, by which applications are exported and imported: in production most applications do neither.

import { Failure } from './failure.ts'
import { isInstalled } from './installed.ts'

const name = '@plinth/transfer'

/** Throws Failure with the command that installs the package, if it is missing. */
export function requireTransfer(command: string): void {
  if (!isInstalled(name))
    throw new Failure(`${command} needs ${name}, which the application does not have: npm install ${name}`)
}
