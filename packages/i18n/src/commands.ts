// `plinth locale list | remove`. The commands open the application without a server, so `bootstrap` has not run. What
// becomes of the entries of a locale is said before anything is removed.

import {
  ApplicationError,
  type CommandGroup,
  type CommandTools,
  type ContentType,
  type Kernel,
  suggestion,
  type Transaction,
  ValidationError,
} from '@plinth/kernel'
import { isLocalized, type Locales, localeType, uid } from './locales.ts'

/** The settings that the commands read. */
interface Settings {
  readonly locales?: readonly string[]
  readonly defaultLocale?: string
}

/** The commands; `localesOf` finds those of a kernel. */
export function localeCommands(localesOf: (kernel: Kernel) => Locales): CommandGroup {
  const prepared = (work: (tools: CommandTools, locales: Locales) => Promise<void>) => async (tools: CommandTools) => {
    const { kernel, config } = tools
    await refuseWithoutTable(kernel)
    const locales = localesOf(kernel)
    const { locales: declared = [], defaultLocale } = config as Settings
    await locales.read(kernel, declared, defaultLocale)
    await work(tools, locales)
  }
  return {
    description: 'locales of the application',
    commands: {
      list: {
        description: 'print the locales, and how many entries each has',
        options: { json: { type: 'boolean', description: 'print JSON' } },
        run: prepared(list),
      },
      remove: {
        description: 'remove a locale; if it has entries, they are counted, and nothing is done without --entries',
        words: ['code'],
        options: {
          entries: {
            type: 'string',
            description: 'delete: deletes its entries for good, as v4 does; keep: leaves them where nobody finds them',
            valueHint: 'delete or keep',
          },
        },
        examples: ['plinth locale remove fr', 'plinth locale remove fr --entries delete'],
        run: prepared(remove),
      },
    },
  }
}

/** The number of entries of one locale in a type. */
interface TypeCount {
  readonly type: ContentType
  readonly count: number
}

async function list({ kernel, config, options, print, remark }: CommandTools, locales: Locales): Promise<void> {
  const declared = (config as Settings).locales ?? []
  const rows = []
  for (const { code, name, isDefault } of await locales.list(kernel)) {
    const counts = await entriesOf(kernel, String(code))
    const entries = counts.reduce((sum, one) => sum + one.count, 0)
    rows.push({ code, name, isDefault, isDeclared: declared.includes(String(code)), entries })
  }
  if (options.json === true) return print(JSON.stringify(rows, null, 2))
  if (rows.length === 0) return remark('There are no locales; a start makes those of config/plugins.')
  for (const { code, name, isDefault, isDeclared, entries } of rows) {
    const words = [...(isDefault ? ['default'] : []), ...(isDeclared ? [] : ['not in i18n.config.locales'])]
    print(`${code}  ${name}  ${entriesText(entries)}${words.length === 0 ? '' : `  ${words.join(', ')}`}`)
  }
}

async function remove(
  { kernel, config, words, options, print, remark }: CommandTools,
  locales: Locales,
): Promise<void> {
  const code = codeOf(words)
  const all = await locales.list(kernel)
  const locale = all.find(one => one.code === code)
  if (locale === undefined) {
    const codes = all.map(one => String(one.code))
    throw new ApplicationError(
      `There is no locale "${code}"${suggestion(code, codes) || `; the locales are ${codes.join(', ')}`}`,
    )
  }
  if ((config as Settings).locales?.includes(code))
    throw new ApplicationError(
      `i18n.config.locales in config/plugins names ${code}, so a start would add it again; take it out there first`,
    )
  if (locale.isDefault)
    throw new ApplicationError(`${code} is the default locale; set i18n.config.defaultLocale to another one first`)
  const choice = choiceOf(options.entries)
  const counts = await entriesOf(kernel, code)
  const total = counts.reduce((sum, one) => sum + one.count, 0)
  if (total > 0)
    remark(
      `${locale.name} has ${entriesText(total)}: ${counts.map(({ type, count }) => `${count} of ${type.uid}`).join(', ')}`,
    )
  if (total > 0 && choice === null)
    throw new ApplicationError(
      'Nothing was removed. --entries delete deletes these entries for good; --entries keep leaves them in the database, where no request finds them until the locale is added again',
    )
  await kernel.transaction(async tx => {
    if (choice === 'delete')
      for (const { type } of counts) await deleteEntries(kernel, type, await idsOf(tx, type, code))
    await kernel.query(uid).delete(locale.id)
  })
  const verb = choice === 'keep' ? 'kept' : 'deleted'
  print(
    `Removed the locale ${code}${total > 0 ? ` and ${verb} ${entriesText(total)}` : ''}. Servers that run know it when they start again.`,
  )
}

/** The types with entries in a locale. */
async function entriesOf(kernel: Kernel, code: string): Promise<readonly TypeCount[]> {
  const counts: TypeCount[] = []
  for (const type of kernel.contentTypes.values()) {
    if (!isLocalized(type) || type.kind === 'component') continue
    const [row] = await kernel.knex(type.table).where({ locale: code }).count({ count: '*' })
    const count = Number(row?.count ?? 0)
    if (count > 0) counts.push({ type, count })
  }
  return counts
}

/** The ids of the entries of a type in a locale. */
async function idsOf({ knex }: Transaction, { table }: ContentType, code: string): Promise<readonly number[]> {
  const rows: { readonly id: number }[] = await knex(table).where({ locale: code }).orderBy('id').select('id')
  return rows.map(({ id }) => Number(id))
}

/** Deletes entries one by one, so that the lifecycles and hooks of a deletion run. */
async function deleteEntries(kernel: Kernel, { uid: of }: ContentType, ids: readonly number[]): Promise<void> {
  for (const id of ids) await kernel.query(of).delete(id)
}

const entriesText = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

function codeOf([code, ...more]: readonly string[]): string {
  if (code === undefined) throw new ValidationError('the code of the locale is missing, such as fr')
  if (more.length > 0) throw new ValidationError(`"${more.join(' ')}" is too much: the code is one word`)
  return code
}

function choiceOf(value: string | boolean | undefined): 'delete' | 'keep' | null {
  if (value === undefined) return null
  if (value === 'delete' || value === 'keep') return value
  throw new ValidationError(`--entries must be delete or keep, not "${value}"`)
}

async function refuseWithoutTable({ knex }: Kernel): Promise<void> {
  const table = localeType.collectionName
  if (await knex.schema.hasTable(table)) return
  throw new ApplicationError(
    `The database has no table ${table}; start the server once, or run \`plinth migrate apply\``,
  )
}
