// What the application adds to the server in code. `register` runs before the model is frozen, `bootstrap` before the
// first request, and `destroy` when the server closes; this application needs only the first.

import type { ContentType, Kernel } from '@plinth/kernel'
import { slugify } from './slug.ts'

export default { register }

/** Sets the slug of a new entry from its target field if it has none: v4 leaves this to its admin panel. */
function register({ kernel }: { kernel: Kernel }): void {
  kernel.hooks.on('preWrite', { actions: ['create'] }, async write => {
    for (const { name, definition } of write.type.attributes.values()) {
      if (definition.type !== 'uid' || typeof definition.targetField !== 'string') continue
      const source = write.data[definition.targetField]
      if (write.data[name] !== undefined || typeof source !== 'string') continue
      write.data[name] = await findFreeSlug(slugify(source), slug => isTaken(kernel, write.type, name, slug))
    }
  })
}

/** Makes slugs unique over all entries of a type, in all languages. */
async function isTaken(kernel: Kernel, type: ContentType, attribute: string, slug: string): Promise<boolean> {
  const everywhere = { publicationState: 'preview', ...(type.attributes.has('locale') && { locale: 'all' }) }
  return (await kernel.query(type.uid).count({ filters: { [attribute]: { $eq: slug } }, ...everywhere })) > 0
}

/** `the-oven`, or `the-oven-2` if that exists, and so on. */
async function findFreeSlug(slug: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  let free = slug
  for (let count = 2; await isTaken(free); count++) free = `${slug}-${count}`
  return free
}
