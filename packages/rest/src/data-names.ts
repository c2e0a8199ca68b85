// Judges names in the data of a write that no attribute has. v4 ignores them; the setting `unknown` refuses them, and where
// somebody listens to remarks, they are remarked on. Otherwise nobody looks at them.

import { type Context, findUnknownNames, type Kernel, type PreparedAnswer, ValidationError } from '@plinth/kernel'
import type { FileWrite } from './files.ts'

interface Judging {
  readonly kernel: Pick<Kernel, 'contentTypes' | 'hooks'>
  readonly settings: { readonly refuseUnknown: boolean }
}

/** A write whose data are judged; `node` is that of its answer. */
interface JudgedWrite extends Pick<FileWrite, 'type'> {
  readonly context: Context
  readonly node: PreparedAnswer['node']
}

/** Throws ValidationError for the first name that no attribute has, with its place and the nearest attribute. */
export function judgeNames(
  { kernel, settings }: Judging,
  { type, context, node }: JudgedWrite,
  data: Readonly<Record<string, unknown>>,
): void {
  const { onRemark } = kernel.hooks
  if (!settings.refuseUnknown && onRemark === null) return
  const search = { registry: kernel.contentTypes, hidden: node.plan.hidden }
  for (const { name, path, near } of findUnknownNames(search, type, data)) {
    const hint = near === null ? '' : `, did you mean "${near}"?`
    if (settings.refuseUnknown) {
      const error = new ValidationError(`Invalid key ${name}${hint}`, { path: [...path, name].join('.') })
      error.cited = name
      throw error
    }
    onRemark?.(`${['data', ...path].join('.')}: no attribute "${name}"${hint}`, context)
  }
}
