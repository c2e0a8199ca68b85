// Drafts: `options.draftAndPublish`, `publishedAt`, `publicationState` (B-8; service.md, "States and transitions").
// A complete plugin of the kernel's, and the one to read to learn how such a thing is written.

import { type ContentType, definePlugin, ForbiddenError, isNotNull, Type, type Write } from '@plinth/kernel'

declare module '@plinth/kernel' {
  interface TypeOptions {
    /** Entries may be drafts. */
    readonly draftAndPublish?: boolean
  }
}

/** What a role needs to see drafts, where not everybody may. */
const previewRight = 'plugin::draft-publish.preview'

const hasDrafts = (type: ContentType) => type.options.draftAndPublish === true

export default definePlugin({
  name: 'draft-publish',
  config: Type.Object(
    {
      /** `strict`: a draft is not found by its id either, unless in preview. `v4`: an id always finds (B-8.13). */
      findOne: Type.Union([Type.Literal('strict'), Type.Literal('v4')], { default: 'strict' }),
      /** Who may ask for drafts: everybody as in v4, or callers with the right `plugin::draft-publish.preview`. */
      previewFor: Type.Union([Type.Literal('all'), Type.Literal('permitted')], { default: 'all' }),
    },
    { additionalProperties: false },
  ),
  typeOptions: ['draftAndPublish'],
  register({ kernel, config }) {
    kernel.hooks.on('preModel', { for: hasDrafts }, draft => {
      draft.attribute('publishedAt', { type: 'datetime' })
      draft.scope('publishedAt', { isEqual: false })
    })

    kernel.parameters.add({
      name: 'publicationState',
      schema: Type.Union([Type.Literal('live'), Type.Literal('preview')]),
      for: hasDrafts,
      // A draft of a single type can be changed, but only in preview deleted (B-4.90, B-4.92).
      actions: config.findOne === 'v4' ? ['find', 'count', 'delete'] : ['find', 'findOne', 'count', 'delete'],
      // What is populated or passed by a filter shows and counts no drafts either (B-8.12).
      depth: 'every',
      shape: (state: string) => state,
      fallback: () => 'live',
      fallbackShape: 'live',
      plan: (node, { shape }) => {
        if (shape === 'live') node.where(isNotNull('publishedAt'))
        else if (config.previewFor === 'permitted' && !node.access.can(previewRight)) throw new ForbiddenError()
      },
    })

    // An entry is created as published unless it says otherwise (B-8.2); a draft need not be complete (B-4.75).
    kernel.hooks.on('preWrite', { for: hasDrafts, actions: ['create'] }, write => {
      const { data } = write
      if (data.publishedAt === undefined) data.publishedAt = write.now
      if (data.publishedAt === null) write.require = 'none'
    })

    kernel.hooks.on('preWrite', { for: hasDrafts, actions: ['update'] }, write => {
      const { publishedAt } = write.data
      if (publishedAt === null) write.require = 'none'
      else if (publishedAt === undefined) write.require = async () => ((await isDraft(write)) ? 'none' : 'sent')
      else return judgePublished(write)
    })
  },
})

async function isDraft(write: Write): Promise<boolean> {
  return (await write.before())?.publishedAt === null
}

/** Unlike v4, the update that publishes is judged as published. */
async function judgePublished(write: Write): Promise<void> {
  if (await isDraft(write)) write.require = 'all'
}
