// Says who may use a new content type: which rights it needs, and where they go. Knows no plugin but by its name in
// config/plugins.

/** A new content type. */
export interface NewContentType {
  readonly uid: string
  readonly isSingle: boolean
}

/** The plugins for which rights are written, as config/plugins names them. */
const plugins = { roles: 'users-permissions', tokens: 'api-tokens' }

/** The rights of a new type, for people; `enabled` are the names of the plugins. */
export function rightsText({ uid, isSingle }: NewContentType, enabled: readonly string[]): string {
  const reads = isSingle ? ['find'] : ['find', 'findOne']
  const writes = isSingle ? ['update', 'delete'] : ['create', 'update', 'delete']
  const names = (operations: readonly string[]) => operations.map(one => `'${uid}.${one}'`).join(', ')
  if (enabled.includes(plugins.roles))
    return `
Nobody may use ${uid} yet. Rights go into config/plugins; for example, everybody reads, and whoever has logged in writes:

  'users-permissions': {
    config: {
      permissions: {
        public: [${names(reads)}],
        authenticated: [${names([...reads, ...writes])}],
      },
    },
  },
`
  if (enabled.includes(plugins.tokens))
    return `
Only callers with an API token may use ${uid}. A token for it:

  plinth token create ${uid.split('.').at(-1)} --type custom --actions "${uid}.*"
`
  return `
Everybody may read and write ${uid}: no plugin in config/plugins decides who may do what. @plinth/users-permissions does, by the rights ${names([...reads, ...writes])}.
`
}
