// Defines for GraphQL, if its plugin is enabled, what a missing `publishedAt` means, and which entry the deletion of a single
// type finds.

// The hook is declared there.
import type {} from '@plinth/graphql'
import type { Access, ContentType, Kernel } from '@plinth/kernel'

/** The value in the state of a write whose new entry is a draft, unless it is said to be published. */
export const draftsByDefault = 'draft-publish'

/** Of which types entries may be drafts, and who may see them. */
interface Drafts {
  readonly areOf: (type: ContentType) => boolean
  readonly mayBeSeenBy: (access: Access) => boolean
}

/**
 * New entries by GraphQL are drafts that are as complete as published entries (B-9.42, B-9.44). The deletion of a single
 * type deletes a draft, too: its mutation has no argument that could ask for it.
 */
export function makeDraftsByGraphql({ hooks }: Pick<Kernel, 'hooks'>, drafts: Drafts): void {
  hooks.on('graphql:write', ({ type, action, params, context }) => {
    context.state[draftsByDefault] = true
    if (action === 'deleteSingle' && drafts.areOf(type) && drafts.mayBeSeenBy(context.access))
      params.publicationState = 'preview'
  })
}
