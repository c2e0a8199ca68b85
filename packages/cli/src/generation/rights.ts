// Says who may use a new content type: which rights it needs, and where they go. Knows no plugin but by its name in
// config/plugins.

/** A new content type. */
export interface NewContentType {
  readonly uid: string
  readonly isSingle: boolean
}

/** The plugins for which rights are written, as config/plugins names them. */
const plugins = { roles: 'users-permissions', tokens: 'api-tokens' }

/** The rights of a new type, for people; `enabled` are the settings of the plugins by their names. */
export function rightsText({ uid, isSingle }: NewContentType, enabled: ReadonlyMap<string, unknown>): string {
  const reads = isSingle ? ['find'] : ['find', 'findOne']
  const writes = isSingle ? ['update', 'delete'] : ['create', 'update', 'delete']
  const names = (operations: readonly string[]) => operations.map(one => `'${uid}.${one}'`).join(', ')
  if (enabled.has(plugins.roles))
    return `
${whoMay(uid, enabled.get(plugins.roles))} Rights go into config/plugins; for example, everybody reads, and whoever has logged in writes:

  'users-permissions': {
    config: {
      permissions: {
        public: [${names(reads)}],
        authenticated: [${names([...reads, ...writes])}],
      },
    },
  },
`
  if (enabled.has(plugins.tokens))
    return `
Only callers with an API token may use ${uid}. A token for it:

  plinth token create ${uid.split('.').at(-1)} --type custom --actions "${uid}.*"
`
  return `
Everybody may read and write ${uid}: no plugin in config/plugins decides who may do what. @plinth/users-permissions does, by the rights ${names([...reads, ...writes])}.
`
}

/** Names the roles whose patterns cover the type, so that nobody takes it for closed. */
function whoMay(uid: string, settings: unknown): string {
  const { permissions = {} } = (settings ?? {}) as {
    readonly permissions?: Readonly<Record<string, readonly string[]>>
  }
  const covers = (action: string) => action.endsWith('*') && `${uid}.`.startsWith(action.slice(0, -1))
  const granted = Object.entries(permissions).filter(([, actions]) => actions.some(covers))
  if (granted.length === 0) return `Nobody may use ${uid} yet.`
  const roles = granted.map(([role, actions]) => `${role} (by ${actions.find(covers)})`).join(', ')
  return `Only these roles may use ${uid}: ${roles}.`
}
