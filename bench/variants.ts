// The plugins with which Plinth is measured, their settings, and the changes of the model that they need.
// It declares the type of its service.

import type {} from '@plinth/graphql'
import { definePlugin, type Kernel } from '@plinth/kernel'
import { OWN_FIELD, readingTime } from './graphql-scenarios.ts'

/**
 * The plugins beside REST.
 *
 * - `true`, `false`: drafts or nothing.
 * - `both`: drafts and locales, with articles that are not localized, as in the model of the scenarios.
 * - `all`: the same with localized articles.
 * - `plain`: none, but articles have the attributes that the two plugins add.
 * - `idle`: drafts, locales, users, tokens, media and GraphQL, none of which concerns articles: they have neither drafts
 *   nor locales nor files, callers without a token may do everything, and the requests are those of REST.
 *
 * - `media`: drafts, and articles with a cover and a gallery.
 *
 * The others have drafts, and types whose entries have a private attribute `level`.
 *
 * - `open`: no users.
 * - `public`: users, but callers without a token may do everything.
 * - `scalar`: users may do everything, with one rule on each type, which compares an attribute with one of the user.
 * - `linked`: the same, but the rules of articles and comments compare an attribute of the author.
 * - `tenants`: users see the articles of their tenant only.
 * - `graphql`: as `open`, with GraphQL.
 * - `extended`: as `graphql`, with a field of articles that an extension resolves.
 * - `ruled`: as `scalar`, with GraphQL.
 */
export type Plugins =
  | boolean
  | ('media' | 'plain' | 'both' | 'all' | 'idle' | 'open' | 'public' | 'scalar' | 'linked' | 'tenants')
  | ('graphql' | 'extended' | 'ruled')

const article = 'api::article.article'
const everything = 'api::*'

const ofAuthor = { author: { level: { $lte: '$user.level' } } }
const ofEntry = { level: { $lte: '$user.level' } }

/** One rule on each type. */
const scalar = {
  permissions: { authenticated: [everything] },
  rules: { authenticated: [{ action: everything, where: ofEntry }] },
}

/** Permissions and rules of the variants with users. */
const roles = {
  idle: { permissions: { public: [everything] } },
  public: { permissions: { public: [everything] } },
  scalar,
  ruled: scalar,
  linked: {
    permissions: { authenticated: [everything] },
    rules: {
      authenticated: [
        { action: 'api::article.*', where: ofAuthor },
        { action: 'api::comment.*', where: ofAuthor },
        { action: 'api::author.*', where: ofEntry },
        { action: 'api::category.*', where: ofEntry },
      ],
    },
  },
  tenants: {
    permissions: { authenticated: [everything] },
    rules: { authenticated: [{ action: 'api::article.*', where: { tenant: '$user.tenant' } }] },
  },
} as const

/** Whether the plugin for users is on. */
export function isWithUsers(plugins: Plugins): plugins is keyof typeof roles {
  return typeof plugins === 'string' && plugins in roles
}

/** The settings of the plugins, as in config/plugins. */
export function settingsOf(plugins: Plugins, jwtSecret: string) {
  const isLocalizing = plugins === 'both' || plugins === 'all' || plugins === 'idle'
  return {
    'draft-publish': plugins !== false && plugins !== 'plain',
    i18n: { enabled: isLocalizing, config: { locales: ['en', 'fr', 'de'] } },
    'users-permissions': {
      enabled: isWithUsers(plugins),
      config: isWithUsers(plugins) ? { jwtSecret, ratelimit: { enabled: false }, ...roles[plugins] } : {},
    },
    'api-tokens': { enabled: plugins === 'idle', config: { salt: jwtSecret } },
    upload: plugins === 'media' || plugins === 'idle',
    graphql: plugins === 'graphql' || plugins === 'extended' || plugins === 'ruled' || plugins === 'idle',
    ...(plugins === 'extended' && { 'own-field': { plugin: ownField } }),
  }
}

/** Adds the field of articles that S8x asks for. */
const ownField = definePlugin({
  name: 'own-field',
  dependencies: ['graphql'],
  register({ kernel }) {
    kernel
      .plugin('graphql')
      .service('extension')
      .use({
        typeDefs: `extend type Article { ${OWN_FIELD}: Int! }`,
        resolvers: { Article: { [OWN_FIELD]: readingTime } },
      })
  },
})

/** What changes the model before the plugins read it, because it is called before they register. */
export function modelOf(plugins: Plugins): ((kernel: Kernel) => void) | null {
  if (plugins === 'plain') return addPlain
  if (plugins === 'media') return addMedia
  if (plugins === 'both') return kernel => change(kernel, { isLocalized: false })
  if (plugins === 'idle') return kernel => change(kernel, { isLocalized: false, hasDrafts: false })
  return typeof plugins === 'string' && plugins !== 'all' ? addLevels : null
}

function addPlain(kernel: Kernel): void {
  kernel.hooks.on('preModel', { for: ({ uid }) => uid === article }, draft => {
    draft.attribute('publishedAt', { type: 'datetime' })
    draft.attribute('locale', { type: 'string' })
  })
}

function addMedia(kernel: Kernel): void {
  kernel.hooks.on('preModel', { for: ({ uid }) => uid === article }, draft => {
    draft.attribute('cover', { type: 'media', multiple: false, allowedTypes: ['images'] })
    draft.attribute('gallery', { type: 'media', multiple: true, allowedTypes: ['images'] })
  })
}

function change(kernel: Kernel, to: { readonly isLocalized: boolean; readonly hasDrafts?: boolean }): void {
  kernel.hooks.on('preModel', { for: ({ uid }) => uid === article }, draft => {
    const own = draft.pluginOptions.i18n as { localized: boolean }
    own.localized = to.isLocalized
    if (to.hasDrafts === false) (draft.options as { draftAndPublish: boolean }).draftAndPublish = false
  })
}

/** Answers do not show them, so that they are the same with and without rules. */
function addLevels(kernel: Kernel): void {
  kernel.hooks.on('preModel', { for: ({ uid, kind }) => uid.startsWith('api::') && kind !== 'component' }, draft => {
    draft.attribute('level', { type: 'integer', private: true, default: 1 })
    if (draft.uid === article) draft.attribute('tenant', { type: 'string', private: true })
  })
  kernel.hooks.on('preModel', { for: ({ uid }) => uid === 'plugin::users-permissions.user' }, draft => {
    draft.attribute('level', { type: 'integer' })
    draft.attribute('tenant', { type: 'string' })
  })
}
