// Lists what published plugins of v4 add to the API, and what Plinth has for each. Knows no project.

/** The way in which a project does without the plugin. */
export type Standing = 'works' | 'differs' | 'missing' | 'unconcerned'

/** The facts about a plugin. */
export interface PluginFacts {
  /** `unconcerned`: the API is the same without it. */
  readonly standing: Standing
  /** Its additions to the API. */
  readonly adds: string
  /** The part of Plinth that replaces it, or what its user can do. */
  readonly here: string
}

const field = (adds: string): PluginFacts => ({
  standing: 'differs',
  adds: `${adds}, whose content is in a custom field`,
  here: 'the field has its base type; what the plugin checks at a write is not checked',
})

const panel = (adds: string): PluginFacts => ({
  standing: 'unconcerned',
  adds: `${adds}, in the administration panel only`,
  here: 'nothing is to do for the API',
})

const routes = (adds: string, here: string): PluginFacts => ({ standing: 'missing', adds, here })
const again = 'write it again as a plugin of Plinth, or run it beside'

/** Patterns of names, which the package or config/plugins may have; the first that matches counts. */
const facts: readonly (readonly [RegExp, PluginFacts])[] = [
  [/^graphql$/, { standing: 'works', adds: 'the GraphQL API', here: '@plinth/graphql' }],
  [/^users-permissions$/, { standing: 'works', adds: 'users, roles, rights', here: '@plinth/users-permissions' }],
  [/^i18n$/, { standing: 'works', adds: 'locales of entries', here: '@plinth/i18n' }],
  [/^upload$/, { standing: 'works', adds: 'files', here: '@plinth/upload' }],
  [
    /^email$/,
    {
      standing: 'differs',
      adds: 'the route /api/email and mails of code',
      here: "@plinth/email has its settings, providers and service; code calls kernel.plugin('email').service('email').send",
    },
  ],
  [
    /^documentation$/,
    {
      standing: 'differs',
      adds: '/documentation and a description in OpenAPI',
      here: '@plinth/openapi has both, in OpenAPI 3.1, outside of production unless inProduction is set',
    },
  ],
  [
    /populate-deep|deep-populate/,
    {
      standing: 'differs',
      adds: 'the parameter populate=deep',
      here: 'Plinth reads it if rest.config.deep of config/plugins has the greatest depth, and refuses it otherwise',
    },
  ],
  [
    /transformer/,
    routes(
      'another form of all answers (no data and attributes)',
      'clients that rely on it break: write the form as a hook of Fastify in src/index, or change the clients',
    ),
  ],
  [
    /slugify(?!-from)|auto-slug/,
    routes(
      'slugs that are made when an entry is written',
      'write a lifecycle beforeCreate and beforeUpdate that makes them',
    ),
  ],
  [/sitemap/, routes('the route of a sitemap, and tables of its own', again)],
  [/navigation/, routes('routes of navigations, and tables of its own', again)],
  [/menus?$/, routes('routes of menus, and tables of its own', again)],
  [/comments/, routes('routes of comments, and tables of its own', again)],
  [
    /meilisearch|algolia|elasticsearch|typesense/,
    routes('an index of a search engine, kept at writes', 'keep the index in lifecycles or in the hook afterCommit'),
  ],
  [/fuzzy-search/, routes('routes of a search', again)],
  [
    /rest-cache|rest-cache-.*/,
    { standing: 'differs', adds: 'a cache of answers', here: 'answers need none; a proxy in front may keep them' },
  ],
  [/stripe|paypal|payment|mollie|razorpay/, routes('routes of payments', again)],
  [/jwt-cookies|cookie/, routes('logins by cookies', 'cookies never authenticate here: clients send the token')],
  [
    /passwordless|magic-link|sso|keycloak|oauth/,
    routes(
      'logins of another kind',
      'users-permissions has logins by providers of OpenID Connect; write others as routes in src/index',
    ),
  ],
  [/email-designer|email-template/, routes('templates of mails, and tables of its own', again)],
  [
    /publisher|scheduler/,
    routes('publication at a time, by a cron task', 'run a program with createKernel that publishes, by cron'),
  ],
  [/old-slugs|redirects?|url-alias|webtools|permalinks?/, routes('addresses of entries, and tables of its own', again)],
  [
    /responsive-image|local-image-sharp|image-optimi/,
    routes('further sizes of pictures', 'upload.config.breakpoints has the sizes'),
  ],
  [
    /\bio$|socket|websocket/,
    routes('a socket that notifies of changes', '@plinth/graphql-subscriptions notifies of changes'),
  ],
  [/notes$|calendar|todo|review-workflows/, routes('types and routes of its own', again)],
  [/prometheus|metrics/, { standing: 'differs', adds: 'metrics', here: '@plinth/metrics' }],
  [
    /sentry|newrelic|datadog|telemetry/,
    { standing: 'differs', adds: 'reports of errors', here: '@plinth/telemetry, or the program of the service' },
  ],
  [
    /import-export|config-sync|migrate|content-transfer|entity-relationship/,
    panel('imports, exports and files of settings'),
  ],
  [
    /ckeditor|tiptap|editorjs|tinymce|wysiwyg|quill|jodit|lexical|blocks-field|markdown|better-blocks/,
    field('an editor of rich text'),
  ],
  [/color-picker/, field('colours')],
  [/multi-select|select|tagsinput|list-tags/, field('lists to choose from')],
  [
    /icon|video-field|oembed|map|geodata|location|phone|country|uuid|nanoid|encrypt|code-editor|table-field|custom-field|slug-from|remote-select|address/,
    field('values'),
  ],
  [/seo/, panel('checks of texts; its component stays a component')],
  [
    /cloud$|review|preview|content-(?:versioning|releases)|moesif|duplicate|tours?|dashboard|theme|logo|analytics|locale|translate|deepl|drag-drop|sort/,
    panel('a tool'),
  ],
]

/** The facts of a plugin; null if nothing is known of it. `name`: that in config/plugins. */
export function factsOf(name: string): PluginFacts | null {
  return facts.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
