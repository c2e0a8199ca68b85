// The locales of an application: declared in the plugin's config, kept in v4's table, taken from there where the database
// is older than the config (B-7.3).

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

/** Is the type translated? */
export function isLocalized(type: Pick<ContentType, 'pluginOptions'>): boolean {
  return type.pluginOptions.i18n?.localized === true
}

/** v4's table of locales as a content type without routes. */
export const localeType = {
  kind: 'collectionType',
  collectionName: 'i18n_locale',
  info: { singularName: 'locale', pluralName: 'locales', displayName: 'Locale' },
  attributes: { name: { type: 'string' }, code: { type: 'string', unique: true } },
}

/** The known locales, in memory: every question asks for them. */
export class Locales {
  #codes: ReadonlySet<string> = new Set()
  /** Known once they are loaded. */
  #default = ''

  get default(): string {
    return this.#default
  }

  has(code: unknown): code is string {
    return typeof code === 'string' && this.#codes.has(code)
  }

  /**
   * Writes declared locales that the table lacks, then reads it; undeclared ones are the table's, or English. An undeclared
   * default is the one v4 noted, if it did.
   */
  async load(kernel: Kernel, declared: readonly string[], defaultLocale: string | undefined): Promise<void> {
    const query = kernel.query(uid)
    const known = (await query.findMany()).map(one => String(one.code))
    const wanted = declared.length + known.length > 0 ? declared : ['en']
    const faults = new Map<string, unknown>()
    for (const code of wanted.filter(one => !known.includes(one)))
      await query.create({ data: { code, name: nameOf(code) } }).catch(error => faults.set(code, error))
    const noted = known.length > 0 ? await notedDefault(kernel) : null
    this.#default = defaultLocale ?? noted ?? wanted[0] ?? known[0]!
    await this.reload(kernel)
    // Another server that starts at the same time may have been faster.
    for (const [code, fault] of faults) if (!this.has(code)) throw fault
    if (!this.#codes.has(this.#default)) throw this.#unknownDefault(defaultLocale)
  }

  /** A default that is no locale, by who gave it. */
  #unknownDefault(declared: string | undefined): Error {
    const known = [...this.#codes]
    const fault = `"${this.#default}" is none of the locales ${known.join(', ')}${suggestion(this.#default, known)}`
    if (declared !== undefined) return new PluginConfigError([`i18n.config.defaultLocale: ${fault}`])
    const place = 'the default locale that v4 noted in strapi_core_store_settings'
    return new StartError(`${place}: ${fault}; i18n.config.defaultLocale in config/plugins says another`)
  }

  /** Entries from before their type was localized are in the default locale, as v4 has it: else nobody would find them. */
  async adopt(kernel: Kernel): Promise<void> {
    const { knex } = kernel.database
    const locale = this.#default
    for (const { table } of kernel.contentTypes.values().filter(isLocalized)) {
      // Mostly there are none, and a write would wait for whoever else writes.
      if ((await knex(table).whereNull('locale').first('id')) === undefined) continue
      await kernel.transaction(async tx => void (await tx.knex(table).whereNull('locale').update({ locale })))
    }
  }

  /** Reads the table again, after it changed. */
  async reload(kernel: Kernel): Promise<void> {
    this.#codes = new Set((await kernel.query(uid).findMany()).map(one => String(one.code)))
  }

  /** All locales as `GET /i18n/locales` answers them (B-7.4). */
  async list(kernel: Kernel): Promise<Entry[]> {
    return (await kernel.query(uid).findMany()).map(one => ({ ...one, isDefault: one.code === this.#default }))
  }

  /** Refuses what is no known locale (security.md row 23); `path` is the parameter that names it. */
  check(path: string): (code: unknown) => void {
    return code => {
      if (!this.has(code)) throw new ValidationError(`Invalid locale ${JSON.stringify(code)}`, { path })
    }
  }
}

/** `French (fr)`, as v4 names it. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(code) ?? code
  return `${name} (${code})`
}

/** The default locale in v4's settings table, where there is one. */
async function notedDefault(kernel: Kernel): Promise<string | null> {
  const { knex } = kernel.database
  if (!(await knex.schema.hasTable('strapi_core_store_settings'))) return null
  const row = await knex('strapi_core_store_settings').where({ key: 'plugin_i18n_default_locale' }).first('value')
  return row === undefined ? null : (JSON.parse(row.value) as string)
}
