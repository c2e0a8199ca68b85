// The locales of an application. They are declared in the settings of the plugin and stored in v4's table, which may contain
// more of them (B-7.3).

import {
  type ContentType,
  type Entry,
  type Kernel,
  PluginConfigError,
  StartError,
  suggestion,
  ValidationError,
} from '@plinth/kernel'

export const uid = 'plugin::i18n.locale'

/** Returns whether the type is localized. */
export function isLocalized(type: Pick<ContentType, 'pluginOptions'>): boolean {
  return type.pluginOptions.i18n?.localized === true
}

/** v4's table of locales, as a content type without routes. */
export const localeType = {
  kind: 'collectionType',
  collectionName: 'i18n_locale',
  info: { singularName: 'locale', pluralName: 'locales', displayName: 'Locale' },
  attributes: {
    name: { type: 'string', configurable: false },
    code: { type: 'string', unique: true, configurable: false },
  },
}

/** The known locales. They are kept in memory, because every query of a localized type needs them. */
export class Locales {
  #codes: ReadonlySet<string> = new Set()
  /** Set by `load`. */
  #default = ''

  /** The codes of all locales. */
  get codes(): readonly string[] {
    return [...this.#codes]
  }

  get default(): string {
    return this.#default
  }

  has(code: unknown): code is string {
    return typeof code === 'string' && this.#codes.has(code)
  }

  /**
   * Adds declared locales to the table if they are missing, then reads the table. Without declared locales, those of the table
   * apply, or English if it is empty. Without a declared default, the default that v4 stored applies, if there is one.
   */
  async load(kernel: Kernel, declared: readonly string[], defaultLocale: string | undefined): Promise<void> {
    const query = kernel.query(uid)
    const storedCodes = (await query.findMany()).map(one => String(one.code))
    const requiredCodes = declared.length + storedCodes.length > 0 ? declared : ['en']
    const faults = new Map<string, unknown>()
    for (const code of requiredCodes.filter(one => !storedCodes.includes(one)))
      await query.create({ data: { code, name: nameOf(code) } }).catch(error => faults.set(code, error))
    this.#default = await defaultOf(kernel, { defaultLocale, requiredCodes, storedCodes })
    await this.reload(kernel)
    warnOfUndeclared(kernel, declared, storedCodes)
    // Another server that starts at the same time may have added the locale first.
    for (const [code, fault] of faults) if (!this.has(code)) throw fault
    if (!this.#codes.has(this.#default)) throw this.#unknownDefault(defaultLocale)
  }

  /** Reads the table for a command, and adds nothing. */
  async read(kernel: Kernel, declared: readonly string[], defaultLocale: string | undefined): Promise<void> {
    const storedCodes = (await kernel.query(uid).findMany()).map(one => String(one.code))
    this.#codes = new Set(storedCodes)
    this.#default = await defaultOf(kernel, { defaultLocale, requiredCodes: declared, storedCodes })
  }

  /** The error for a default that is not a locale. It names the source of the default. */
  #unknownDefault(declared: string | undefined): Error {
    const codes = [...this.#codes]
    const fault = `"${this.#default}" is not one of the locales ${codes.join(', ')}${suggestion(this.#default, codes)}`
    if (declared !== undefined) return new PluginConfigError([`i18n.config.defaultLocale: ${fault}`])
    const place = 'The default locale that v4 stored in strapi_core_store_settings'
    return new StartError(
      'PLINTH_CONFIG_INVALID',
      `${place}: ${fault}; set i18n.config.defaultLocale in config/plugins to replace it`,
    )
  }

  /**
   * Gives the default locale to entries that were created before their type was localized, as v4 does. Without a locale, no read
   * would find them.
   */
  async adopt(kernel: Kernel): Promise<void> {
    const { knex } = kernel
    const locale = this.#default
    for (const { table } of kernel.contentTypes.values().filter(isLocalized)) {
      // Most starts find none, and a write would have to wait for other writers.
      if ((await knex(table).whereNull('locale').first('id')) === undefined) continue
      await kernel.transaction(async tx => void (await tx.knex(table).whereNull('locale').update({ locale })))
    }
  }

  /** Reads the table again after it has changed. */
  async reload(kernel: Kernel): Promise<void> {
    this.#codes = new Set((await kernel.query(uid).findMany()).map(one => String(one.code)))
  }

  /** All locales, as `GET /i18n/locales` answers them (B-7.4). */
  async list(kernel: Kernel): Promise<Entry[]> {
    return (await kernel.query(uid).findMany()).map(one => ({ ...one, isDefault: one.code === this.#default }))
  }

  /** Returns a check that throws for unknown locales (security.md row 23). `path` is the parameter that names the locale. */
  check(path: string): (code: unknown) => void {
    return code => {
      if (!this.has(code)) throw new ValidationError(`Invalid locale ${JSON.stringify(code)}`, { path })
    }
  }
}

/** The name of a locale in the form of v4: `French (fr)`. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(code) ?? code
  return `${name} (${code})`
}

/** The sources of the default locale. */
interface Defaults {
  readonly defaultLocale: string | undefined
  readonly requiredCodes: readonly string[]
  readonly storedCodes: readonly string[]
}

/** The default locale: the declared one, that of v4, or the first one. */
async function defaultOf(kernel: Kernel, { defaultLocale, requiredCodes, storedCodes }: Defaults): Promise<string> {
  const noted = storedCodes.length > 0 ? await notedDefault(kernel) : null
  return defaultLocale ?? noted ?? requiredCodes[0] ?? storedCodes[0] ?? ''
}

/** Says in development which locales the table has beside those of the settings, and how they go. */
function warnOfUndeclared(kernel: Kernel, declared: readonly string[], stored: readonly string[]): void {
  const others = stored.filter(code => !declared.includes(code))
  if (declared.length === 0 || others.length === 0 || process.env.NODE_ENV === 'production') return
  const [one = ''] = others
  kernel.log.warn(
    `i18n.config.locales does not name ${others.join(', ')}, which the table of locales has, so requests may still ask for them; \`plinth locale remove ${one}\` removes one`,
  )
}

/** The default locale in v4's table of settings; null if there is none. */
async function notedDefault(kernel: Kernel): Promise<string | null> {
  const { knex } = kernel
  if (!(await knex.schema.hasTable('strapi_core_store_settings'))) return null
  const row = await knex('strapi_core_store_settings').where({ key: 'plugin_i18n_default_locale' }).first('value')
  return row === undefined ? null : (JSON.parse(row.value) as string)
}
