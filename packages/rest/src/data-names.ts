// Checks names in the data of a write that no attribute has. v4 ignores them; the setting `unknown` refuses them, and where
// somebody listens to remarks, they are remarked on. Otherwise nobody looks at them.

import { type Context, findUnknownNames, type Kernel, type PreparedAnswer, ValidationError } from '@plinth/kernel'
import type { FileWrite } from './files.ts'

type Data = Record<string, unknown>

/** A write whose data are checked; `node` is that of its answer. */
interface CheckedWrite extends Pick<FileWrite, 'type'> {
  readonly context: Context
  readonly node: PreparedAnswer['node']
}

/** Returns the same write, which checks its data first. */
export type CheckNames = <Scope, T>(
  write: (scope: Scope, data: Data) => Promise<T>,
  checkedWrite: CheckedWrite,
) => (scope: Scope, data: Data) => Promise<T>

/** The check of a kernel; null if names are neither refused nor remarked on. */
export function nameCheckOf(kernel: Pick<Kernel, 'contentTypes' | 'hooks'>, refuses: boolean): CheckNames | null {
  const { contentTypes: registry, hooks } = kernel
  const { onRemark } = hooks
  if (!refuses && onRemark === null) return null
  return (write, { type, context, node }) =>
    async (scope, data) => {
      for (const { name, path, near } of findUnknownNames({ registry, hidden: node.plan.hidden }, type, data)) {
        const hint = near === null ? '' : `, did you mean "${near}"?`
        if (refuses) throw refusal([...path, name], hint)
        onRemark?.(`${['data', ...path].join('.')}: no attribute "${name}"${hint}`, context)
      }
      return write(scope, data)
    }
}

/** The 400 for a name, with its place in the entry and the nearest attribute. */
function refusal(path: readonly string[], hint: string): ValidationError {
  const name = path.at(-1)!
  const error = new ValidationError(`Invalid key ${name}${hint}`, { path: path.join('.') })
  error.cited = name
  return error
}
