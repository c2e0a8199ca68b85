// What a missing `publishedAt` means by GraphQL, if the plugin graphql is enabled.

// The hook is declared there.
import type {} from '@plinth/graphql'
import type { Kernel } from '@plinth/kernel'

/** The value in the state of a write whose new entry is a draft, unless it is said to be published. */
export const draftsByDefault = 'draft-publish'

/** New entries by GraphQL are drafts that are as complete as published entries (B-9.42, B-9.44). */
export function makeDraftsByGraphql({ hooks }: Pick<Kernel, 'hooks'>): void {
  hooks.on('graphql:write', ({ context }) => {
    context.state[draftsByDefault] = true
  })
}
