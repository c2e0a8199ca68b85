// Lists where the defaults of Plinth are stricter than v4, each with the setting that gives v4's answer, if there is
// one. The rules are those of docs/dialect/security.md, behaviour.md and contract/deviations.json.

/** The properties of an application that decide which differences concern it. */
export interface Concern {
  readonly plugins: ReadonlySet<string>
  /** True if a content type has drafts. */
  readonly hasDrafts: boolean
  /** True if config/api sets the maximum size of a page (`maxLimit`). */
  readonly limitsPages: boolean
}

/** One difference. */
export interface Stricter {
  readonly what: string
  /** The setting, by the path of `file`; null if there is none. */
  readonly setting: { readonly file: 'api' | 'plugins'; readonly path: string; readonly value: string } | null
  readonly concerns?: (concern: Concern) => boolean
}

const inApi = (path: string, value: string) => ({ file: 'api', path, value }) as const
const inPlugin = (plugin: string, path: string, value: string) =>
  ({ file: 'plugins', path: `${plugin}.config.${path}`, value }) as const
const has = (plugin: string) => (concern: Concern) => concern.plugins.has(plugin)
const hasDrafts = (concern: Concern) => concern.plugins.has('draft-publish') && concern.hasDrafts

/** All differences of defaults. */
export const differences: readonly Stricter[] = [
  {
    what: 'GET of a draft by its id is a 404, where v4 answers it to everybody who may read the type',
    setting: inPlugin('draft-publish', 'findOne', "'v4'"),
    concerns: hasDrafts,
  },
  {
    what: 'a draft is not found through relations, filters, sorts and GraphQL in live mode',
    setting: null,
    concerns: hasDrafts,
  },
  {
    what: 'a page of a list has at most 100 entries, where v4 has no limit without rest.maxLimit',
    setting: inApi('rest.maxLimit', '-1'),
    concerns: ({ limitsPages }) => !limitsPages,
  },
  { what: 'a request may visit 100 content types and components', setting: inApi('rest.maxCost', 'a number') },
  { what: 'a request may fetch 100,000 rows', setting: inApi('rest.maxRows', 'a number') },
  { what: 'an answer has at most 100,000 entries', setting: inPlugin('rest', 'maxEntries', 'a number') },
  { what: 'an answer has at most 50 MB', setting: inPlugin('rest', 'maxBytes', "a size, such as '200mb'") },
  {
    what: 'an unknown operator in filters is a 400, where v4 drops it and answers all entries',
    setting: inApi('compat.ignoreUnknownOperators', 'true'),
  },
  {
    what: 'parameters: more than 1,000 of them, a depth above 20, 10 levels of relations, 200 alternatives or a text of 4 KiB in a filter, broken escapes and NUL are a 400',
    setting: null,
  },
  { what: '`%` and `_` in $contains and the like are literal, where v4 takes them as wildcards', setting: null },
  { what: '_q does not search private attributes', setting: null },
  { what: 'bodies may be nested 64 levels deep', setting: null },
  {
    what: 'a component that a dynamic zone does not list is a 400, where v4 stores it',
    setting: null,
  },
  {
    what: 'a unique attribute has an index, so that of two writes at the same time one is a 400; duplicates that are there are reported by `npx plinth migrate plan`',
    setting: null,
  },
  {
    what: 'a page of another site with the origin `null` may not read answers',
    setting: inPlugin('rest', 'cors.origin', "a list with 'null'"),
  },
  { what: 'two Authorization headers are a 400', setting: null },
  { what: 'a locale that the application does not have is a 400', setting: null, concerns: has('i18n') },
  {
    what: 'filters through media are a 400',
    setting: inPlugin('upload', 'allowFilters', 'true'),
    concerns: has('upload'),
  },
  {
    what: 'a file of another kind than the attribute allows is a 400, and its content decides its kind',
    setting: null,
    concerns: has('upload'),
  },
  {
    what: 'pictures have at most 100,000,000 pixels',
    setting: inPlugin('upload', 'maxPixels', 'a number'),
    concerns: has('upload'),
  },
  {
    what: 'a list of GraphQL has at most 100 items at every level',
    setting: inPlugin('graphql', 'amountLimit', 'a number'),
    concerns: has('graphql'),
  },
  {
    what: 'an operation of GraphQL has at most 64 KiB, 2,000 tokens, 1,000 fields, 50 fields of the root and 15 levels; a batch has 10',
    setting: inPlugin('graphql', 'limits', '{ text, tokens, fields, roots, depth, batch }'),
    concerns: has('graphql'),
  },
  {
    what: 'GraphQL has no introspection in production',
    setting: inPlugin('graphql', 'apolloServer', '{ introspection: true }'),
    concerns: has('graphql'),
  },
  { what: 'passwords are not fields of GraphQL', setting: null, concerns: has('graphql') },
  {
    what: 'a registration sets username, email and password alone',
    setting: inPlugin('users-permissions', 'register.allowedFields', 'a list of names'),
    concerns: has('users-permissions'),
  },
  {
    what: 'role, blocked and confirmed of a user are changed by callers with the right role.updateRole alone',
    setting: null,
    concerns: has('users-permissions'),
  },
  {
    what: 'tokens end when the password of their user changes; a code for a new password is valid for one hour; passwords have at most 72 bytes',
    setting: null,
    concerns: has('users-permissions'),
  },
  {
    what: 'usernames that differ in case alone are one name, which a second user cannot take',
    setting: null,
    concerns: has('users-permissions'),
  },
  {
    what: 'guesses of logins are counted by the address and by the account, and no longer by what the body says',
    setting: inPlugin('users-permissions', 'ratelimit', '{ enabled, interval, max }'),
    concerns: has('users-permissions'),
  },
]

/** The sentences for one application. */
export function stricterLines(concern: Concern): readonly string[] {
  return differences
    .filter(({ concerns }) => concerns?.(concern) ?? true)
    .map(({ what, setting }) => {
      if (setting === null) return `${what} (no setting)`
      return `${what} (as v4: ${setting.path}: ${setting.value} in config/${setting.file})`
    })
}
