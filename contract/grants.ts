/**
 * The rights of the public role as a suite's header grants them, until a permissions plugin does it: what is not
 * listed is not granted. Accounts, roles and tokens there are none.
 */
import { type Access, type ContentType, definePlugin, invalidParameter, type PlanDraft, Type } from '@plinth/kernel'

/** The only credentials there are, and nobody can have any; whatever else is sent leaves the caller the public (B-6.5). */
const isToken = (header: string | string[] | undefined) => /^bearer\s+\S/i.test(String(header ?? ''))

const last = (path: string) => path.slice(path.lastIndexOf('.') + 1)

function check(draft: PlanDraft, access: Access): void {
  // Rules compare with what their caller may not read, too.
  if (draft.via === 'root' || draft.via === 'rule') return
  if (draft.type.kind === 'component' || access.can(`${draft.type.uid}.find`)) return
  // Never to be asked about (B-2.10), but not populated without a word (B-2.86).
  if (draft.via === 'filter' || draft.via === 'sort') throw invalidParameter(last(draft.path), draft.path)
  draft.drop()
}

/** Relations to types that cannot be read are taken out of the input (B-4.3). */
function keepReadable(type: ContentType, data: Record<string, unknown>, access: Access): void {
  for (const [name, attribute] of type.attributes) {
    if (attribute.kind !== 'relation' || attribute.target === null) continue
    if (!access.can(`${attribute.target}.find`)) delete data[name]
  }
}

export default definePlugin({
  name: 'grants',
  config: Type.Object({ public: Type.Array(Type.String()) }),
  register({ kernel, config }) {
    const granted = new Set(config.public)
    const access: Access = { key: 'public', user: null, can: scope => granted.has(scope) }
    kernel.auth.use({
      name: 'public',
      authenticate: ({ headers }) => (isToken(headers.authorization) ? null : access),
    })
    kernel.hooks.on('prePlan', check)
    kernel.hooks.on('preWrite', ({ type, data, context }) => keepReadable(type, data, context.access))
  },
})
