// The contract of a database package: what a package tells the kernel of its database, and the settings with which the
// kernel opens it. Knows no database.

import type { Ddl } from '../connection/ddl.ts'
import type { Driver } from '../connection/driver.ts'
import type { Session } from '../connection/session.ts'
import { RegistrationError } from '../errors.ts'
import { checkWords, type Words } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The settings `connection` of config/database, by their names. */
export type ConnectionSettings = Readonly<Record<string, unknown>>

/** config/database with all defaults applied, as a database package receives it. Times are in milliseconds. */
export interface DriverSettings {
  /** The folder of the application, from which paths are resolved. */
  readonly dir: string
  /** The settings of the file, above those of the environment (DatabaseDefinition.variables). */
  readonly connection: ConnectionSettings
  readonly pool: { readonly min: number; readonly max: number }
  /** The time that a caller waits for a connection. */
  readonly acquireTimeout: number
  /** 0: no limit other than the server's own. */
  readonly statementTimeout: number
  /** 0: the server's setting. */
  readonly lockTimeout: number
  /** 0: the server's setting. */
  readonly idleTransactionTimeout: number
  readonly synchronous: 'normal' | 'full'
  readonly rememberTotals: boolean
  /**
   * True if all statements of one read are to see one state of the database; undefined without the setting: the database
   * decides by the cost.
   */
  readonly consistentReads: boolean | undefined
  readonly preparedStatements: boolean
  /** As the file has it; undefined if it does not say it. */
  readonly storedTimeZone: unknown
}

/** The names and values of `connection`, as a JSON schema of an object. */
export interface ConnectionSchema {
  /** A value is described for the message that refuses it: `{ description: 'a number from 1 to 65535' }`. */
  readonly properties: Readonly<Record<string, { readonly description?: string } & Readonly<Record<string, unknown>>>>
  /** False: other names are refused. Otherwise only those are that look misspelt, because drivers have many options. */
  readonly additionalProperties?: boolean
}

/** Work on a database that is only read. */
export type ReadonlyWork<Result> = (ddl: Ddl, session: Session, dialect: Dialect) => Promise<Result>

/** A kind of database, as the author of its package describes it. */
export interface DatabaseDefinition {
  /** The `client` in config/database: the package is `@plinth/<name>` or `plinth-database-<name>`. */
  readonly name: string
  readonly connection: ConnectionSchema
  /** Names that `connection` may contain as well, such as those of other databases and options of the driver. */
  readonly otherNames?: readonly string[]
  /** Packages of drivers, such as pg, which applications need not install: it brings its own. */
  readonly drivers?: readonly string[]
  /** The settings of `connection` that the environment gives. Throws StartError for values that cannot be meant. */
  variables?(): ConnectionSettings
  /** The file, or the name of the database on its server. */
  databaseName(settings: DriverSettings): string
  /** The file or the address, for messages; without user and password. */
  place(settings: DriverSettings): string
  /** As whom the database is opened, for messages, with a space before it: ` as me`. */
  account?(settings: DriverSettings): string
  /** Returns whether the error of a connection says that the server did not answer in time. */
  isSilence?(error: Error): boolean
  /** True if datetimes are stored without their zone. */
  readonly storesLocalTimes: boolean
  /** Returns what the owner should know of the settings, as sentences without a full stop. */
  remarks?(settings: DriverSettings): readonly string[]
  /** Makes the driver; connections are opened later. Throws StartError for settings that it refuses. */
  open(settings: DriverSettings): Driver
  /**
   * Passes a session that cannot change the database to `work`. Without it, the kernel opens the database with one
   * connection, for one read (Driver.readOnly). Throws StartError (PLINTH_DATABASE_MISSING) if there is no database.
   */
  openReadonly?<Result>(settings: DriverSettings, work: ReadonlyWork<Result>): Promise<Result>
}

/** The default export of a database package. */
export interface DatabasePackage {
  readonly database: DatabaseDefinition
}

/** The names of a definition. */
const words: Words<DatabaseDefinition> = {
  name: 'needed',
  connection: 'needed',
  otherNames: 'optional',
  drivers: 'optional',
  variables: 'optional',
  databaseName: 'needed',
  place: 'needed',
  account: 'optional',
  isSilence: 'optional',
  storesLocalTimes: 'needed',
  remarks: 'optional',
  open: 'needed',
  openReadonly: 'optional',
}

/** Checks a definition and returns what a database package exports by default. Throws RegistrationError. */
export function defineDatabase(definition: DatabaseDefinition): DatabasePackage {
  const refuse: Refuse = (fault, code = 'PLINTH_DEFINITION_INVALID') => {
    throw new RegistrationError(code, `defineDatabase: ${String(definition?.name)}: ${fault}`)
  }
  checkWords<DatabaseDefinition>(definition, words, refuse)
  const { name, connection } = definition
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name))
    refuse('name must be a text of small letters, digits and "-", such as libsql')
  if (typeof connection?.properties !== 'object') refuse('connection must be a JSON schema with properties')
  for (const method of ['databaseName', 'place', 'open'] as const)
    if (typeof definition[method] !== 'function') refuse(`${method} must be a function`)
  return { database: definition }
}
