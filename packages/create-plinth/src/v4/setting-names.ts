// The settings of v4's plugins that Plinth's plugins of the same name take; true stands for any value. Settings that are
// not here would stop a start.

/** Names of settings, with those below them. */
export interface SettingNames {
  readonly [name: string]: true | SettingNames
}

const cors: SettingNames = {
  origin: true,
  expose: true,
  maxAge: true,
  credentials: true,
  methods: true,
  headers: true,
  keepHeadersOnError: true,
}

/** By the plugin. */
export const settingNames: Readonly<Record<string, SettingNames>> = {
  graphql: {
    endpoint: true,
    shadowCRUD: true,
    playgroundAlways: true,
    defaultLimit: true,
    maxLimit: true,
    depthLimit: true,
    amountLimit: true,
    apolloServer: { introspection: true },
  },
  'users-permissions': {
    jwtSecret: true,
    jwt: { expiresIn: true },
    register: { allowedFields: true },
    ratelimit: { enabled: true, max: true },
  },
  upload: { sizeLimit: true, breakpoints: true, responsiveDimensions: true },
  i18n: {},
}

/** The settings of v4's middlewares that the REST API takes, by the names of both. */
export const middlewareSettings: Readonly<Record<string, { readonly setting: string; readonly names: SettingNames }>> =
  {
    'strapi::cors': { setting: 'cors', names: cors },
    'strapi::body': {
      setting: 'body',
      names: { jsonLimit: true, formLimit: true, textLimit: true, formidable: { maxFileSize: true } },
    },
  }
