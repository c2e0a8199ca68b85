// The plugin draft-publish: `options.draftAndPublish`, `publishedAt`, `publicationState` (B-8, service.md 3).
// It is a short and complete plugin, and a model for others.

import {
  type Access,
  type ContentType,
  definePlugin,
  ForbiddenError,
  isNotNull,
  labelOf,
  Type,
  type Write,
} from '@plinth/kernel'
import { draftsByDefault, makeDraftsByGraphql } from './graphql.ts'

declare module '@plinth/kernel' {
  interface TypeOptions {
    /** True if entries may be drafts. */
    readonly draftAndPublish?: boolean
  }
  interface ParameterOptions {
    /** `preview` includes drafts. */
    readonly publicationState?: string | undefined
  }
  interface Services {
    /** Returns what an entry is whose maker does not say it. */
    readonly 'draft-publish.newEntries': () => 'draft' | 'published'
  }
}

/** The right that a caller needs to see drafts if `previewFor` is `permitted`. */
const previewRight = 'plugin::draft-publish.entries.preview'

const hasDrafts = (type: ContentType) => type.options.draftAndPublish === true
const mayHaveHadDrafts = (type: ContentType) => type.kind !== 'component' && !hasDrafts(type)

export default definePlugin({
  name: 'draft-publish',
  after: ['graphql'],
  config: Type.Object(
    {
      findOne: Type.Union([Type.Literal('strict'), Type.Literal('v4')], {
        default: 'strict',
        description:
          '`strict`: outside of preview, a draft is not found by its id either. `v4`: an id finds entries in any state.',
      }),
      previewFor: Type.Union([Type.Literal('all'), Type.Literal('permitted')], {
        default: 'all',
        description:
          'The callers who may request drafts: everybody as in v4, or those with the right `plugin::draft-publish.entries.preview`.',
      }),
      create: Type.Union([Type.Literal('published'), Type.Literal('draft')], {
        default: 'published',
        description: 'The state of a new entry whose data has no `publishedAt`: published as in v4, or a draft.',
      }),
    },
    { additionalProperties: false },
  ),
  typeOptions: { draftAndPublish: Type.Boolean({ description: 'True if entries may be drafts.' }) },
  register({ kernel, config }) {
    if (config.previewFor === 'permitted') kernel.actions.add(previewRight)
    kernel.services.provide('draft-publish', 'newEntries', () => config.create)
    kernel.hooks.on('preModel', { for: hasDrafts }, draft => {
      draft.attribute('publishedAt', { type: 'datetime', visible: false })
      draft.scope('publishedAt', { isEqual: false })
      draft.incomplete({ publishedAt: null })
      // Entries from before the option was switched on are published, as in v4.
      draft.fill('publishedAt', ['createdAt', 'updatedAt'])
    })
    // Drafts from before the option was switched off must not become public.
    kernel.hooks.on('preModel', { for: mayHaveHadDrafts }, draft => draft.retire('publishedAt', { entries: 'drafts' }))

    const mayBeSeenBy = (access: Access) => config.previewFor === 'all' || access.can(previewRight)

    kernel.parameters.add({
      name: 'publicationState',
      schema: Type.Union([Type.Literal('live'), Type.Literal('preview')]),
      for: hasDrafts,
      // The draft of a single type can always be updated, but can be deleted only in preview (B-4.90, B-4.92).
      actions: config.findOne === 'v4' ? ['find', 'count', 'delete'] : ['find', 'findOne', 'count', 'delete'],
      // Populated entries, and entries that a filter follows, must not reveal drafts either (B-8.12).
      depth: 'every',
      shape: (state: string) => state,
      fallback: () => 'live',
      fallbackShape: 'live',
      // An id finds entries in any state in v4, so only lists have an argument (B-9.63).
      offer: { many: true, nested: true, default: 'live' },
      choices: ({ access }) => (mayBeSeenBy(access) ? ['live', 'preview'] : ['live']),
      deleted: {
        attribute: 'publishedAt',
        isShown: (publishedAt, state) => state === 'preview' || publishedAt !== null,
      },
      plan: (node, { shape }) => {
        if (shape === 'live') node.where(isNotNull('publishedAt'))
        else if (!mayBeSeenBy(node.access))
          throw new ForbiddenError().withReason(
            `publicationState=preview needs ${previewRight}, which ${labelOf(node.access)} lacks`,
          )
      },
    })

    // An id finds a draft, as in v4, only for callers who may see drafts at all.
    if (config.findOne === 'v4' && config.previewFor === 'permitted')
      kernel.hooks.on('prePlan', { for: hasDrafts }, (draft, access) => {
        const isRead = draft.action === 'findOne' && draft.stage === 'read'
        if (isRead && !access.can(previewRight)) draft.where(isNotNull('publishedAt'))
      })

    if (kernel.services.find('graphql', 'extension') !== null)
      makeDraftsByGraphql(kernel, { areOf: hasDrafts, mayBeSeenBy })

    // A new entry is published unless `publishedAt` is null (B-8.2), or unless the settings say that it begins as a draft. A
    // draft may be incomplete (B-4.75).
    kernel.hooks.on('preWrite', { for: hasDrafts, actions: ['create'] }, write => {
      const { data, context } = write
      if (data.publishedAt === undefined && config.create === 'draft') data.publishedAt = null
      if (data.publishedAt === null) write.completeness = 'draft'
      if (data.publishedAt === undefined) data.publishedAt = context.state[draftsByDefault] === true ? null : write.now
    })

    kernel.hooks.on('preWrite', { for: hasDrafts, actions: ['update'] }, write => {
      const { publishedAt } = write.data
      if (publishedAt === null) write.completeness = 'draft'
      else if (publishedAt === undefined)
        write.completeness = async () => ((await isDraft(write)) ? 'draft' : 'partial')
      else return checkPublished(write)
    })
  },
})

async function isDraft(write: Write): Promise<boolean> {
  return (await write.before())?.publishedAt === null
}

/** An update that publishes a draft must leave it complete, unlike in v4. */
async function checkPublished(write: Write): Promise<void> {
  if (await isDraft(write)) write.completeness = 'full'
}
