// The additions of the application to the server in code. `register` runs before the model is frozen, `bootstrap`
// before the first request, and `destroy` when the server closes; this application needs only the first.

import type { ContentType, Kernel } from '@plinth/kernel'
import { extendGraphql } from './graphql.ts'
import { slugify } from './slug.ts'

export default { register }

function register({ kernel }: { kernel: Kernel }): void {
  setSlugs(kernel)
  signComments(kernel)
  extendGraphql(kernel)
}

/** Sets the slug of a new entry from its target field if it has none: v4 leaves this to its admin panel. */
function setSlugs(kernel: Kernel): void {
  kernel.hooks.on('preWrite', { actions: ['create'] }, async write => {
    for (const { name, definition } of write.type.attributes.values()) {
      if (definition.type !== 'uid' || typeof definition.targetField !== 'string') continue
      const source = write.data[definition.targetField]
      if (write.data[name] !== undefined || typeof source !== 'string') continue
      write.data[name] = await findFreeSlug(slugify(source), slug => isTaken(kernel, write.type, name, slug))
    }
  })
}

/**
 * Signs a new comment with its writer. Members cannot send who they are: a link to a user needs the right to find
 * users. Values that a hook sets do not count as sent, so the rules in config/plugins.ts do not refuse them.
 */
function signComments(kernel: Kernel): void {
  const options = { for: (type: ContentType) => type.uid === 'api::comment.comment', actions: ['create'] as const }
  kernel.hooks.on('preWrite', options, ({ data, context, now }) => {
    // The seed and API tokens are not users: they say whose comment it is.
    const user = context.access.user as { readonly id: number; readonly username: string } | null
    if (user === null) return
    Object.assign(data, { author: user.id, name: user.username.slice(0, 60), postedAt: now })
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
