// Checks whether @plinth/v4 is installed, by which only projects of Strapi v4 are read: it brings a parser, which no
// application needs in production.

import { Failure } from './failure.ts'
import { isInstalled } from './installed.ts'

const name = '@plinth/v4'

/** Returns whether the package is installed. */
export const hasV4 = (): boolean => isInstalled(`${name}/project`)

/** Throws Failure with the command that installs the package, if it is missing. */
export function requireV4(command: string): void {
  if (!hasV4())
    throw new Failure(
      `${command} reads projects of Strapi v4 with ${name}, which is not installed: npm install --no-save ${name}`,
    )
}
