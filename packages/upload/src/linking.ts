// Links new files to an entry: an update of that entry by its caller, with the rights, rules and hooks of one (security.md
// row 84).

import {
  type ContentType,
  type Context,
  type Kernel,
  NotFoundError,
  type RelationAttribute,
  ValidationError,
} from '@plinth/kernel'
import type { Place } from './place.ts'

/** An entry and a media attribute of it, after the checks. */
export interface Target {
  readonly type: ContentType
  readonly id: number
  readonly attribute: RelationAttribute
}

/**
 * Finds what files are to be linked to. Throws ValidationError if there is no such type, or if the attribute is not
 * media, ForbiddenError without the right to change entries of the type, and NotFoundError.
 */
export async function findTarget(kernel: Kernel, { ref, refId, field }: Place, context: Context): Promise<Target> {
  const type = kernel.contentTypes.get(ref)
  if (type === undefined || type.internal || type.kind === 'component')
    throw new ValidationError(`Invalid ref: there is no content type ${JSON.stringify(ref)}`, { path: 'ref' })
  kernel.authorize(kernel.actions.of(type.uid, 'update'), context)
  const attribute = type.attributes.get(field)
  if (attribute?.type !== 'media' || attribute.kind !== 'relation')
    throw new ValidationError(`Invalid field: ${JSON.stringify(field)} is not a media attribute of ${ref}`, {
      path: 'field',
    })
  const id = /^\d{1,15}$/.test(refId) ? Number(refId) : null
  const { entries } = kernel.writer
  if (id === null || !(await entries.mayChange(type.uid, id, context))) throw new NotFoundError()
  if ((await entries.read(type.uid, id, context)) === null) throw new NotFoundError()
  return { type, id, attribute }
}

/** Links files in the running transaction: a single attribute gets the last one, a list gets all of them at its end. */
export async function linkTo(
  kernel: Kernel,
  { type, id, attribute }: Target,
  ids: readonly number[],
  context: Context,
): Promise<void> {
  const value = attribute.many ? { connect: ids.map(one => ({ id: one })) } : ids.at(-1)
  const changed = await kernel
    .query(type.uid, context)
    .update(id, { data: { [attribute.name]: value }, fields: ['id'] })
  if (changed === null) throw new NotFoundError()
}
