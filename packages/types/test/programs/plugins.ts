// Right and wrong config/plugins files. Each line below a `@ts-expect-error` must not compile, and all others must.

import { definePlugin, definePlugins, type Env, type PluginsConfig } from '@plinth/kernel'

const plugin = definePlugin({ name: 'shelves', register() {} })
declare const isProduction: boolean
declare const values: unknown

export const right = definePlugins({
  passwords: true,
  'draft-publish': { config: { previewFor: 'permitted', findOne: undefined } },
  i18n: { enabled: false, config: { locales: ['en', 'de'] } },
  upload: {
    config: {
      sizeLimit: isProduction ? 1000 : 2000,
      allowedTypes: ['image/*'],
      providerOptions: { any: { thing: 1 } },
      breakpoints: { large: 1000, tiny: 64 },
    },
  },
  colour: {
    plugin,
    config: {
      mode: 'dark',
      palette: { primary: '#fff', shades: [1, 2] },
      names: { red: { hex: '#f00' } },
      mix: name => name,
      open: { level: 1, anything: [true] },
    },
  },
  // Plugins that are not in the written file may have any settings.
  shelves: { plugin, config: { anything: 1 } },
  other: true,
  another: { resolve: './src/plugins/another', config: { anything: 1 } },
  // Names near those of others are free for what is not searched for by its name.
  uploads: { resolve: './src/plugins/uploads' },
  colours: { plugin },
  passwort: false,
  ...(isProduction && { i18n: true }),
})

export const byFunction = definePlugins(({ env }) => ({
  upload: {
    config: {
      folder: env('FOLDER'),
      sizeLimit: env.int('SIZE', 1000),
      deniedTypes: env.array('DENIED', []),
      provider: values,
    },
  },
  'draft-publish': { config: { previewFor: env.oneOf('PREVIEW', ['all', 'permitted'], 'all') } },
  other: { config: { anything: env('ANY') } },
}))

export const annotated = definePlugins(({ env }: { readonly env: Env }) => {
  const folder = env('FOLDER')
  return { upload: { config: { folder, sizeLimit: 5 } } }
})

const loose: PluginsConfig = { upload: { config: { anything: 1 } } }
export const untyped = definePlugins(loose)

export const wrong = [
  definePlugins({
    // @ts-expect-error: a misspelt setting.
    'draft-publish': { config: { previewFr: 'all' } },
  }),
  definePlugins({
    // @ts-expect-error: a misspelt setting.
    upload: { config: { alowedTypes: ['image/*'], sizeLimit: 5 } },
  }),
  definePlugins({
    // @ts-expect-error: a wrong value.
    'draft-publish': { config: { previewFor: 'alll' } },
  }),
  definePlugins({
    // @ts-expect-error: a wrong value in a list.
    upload: { config: { allowedTypes: ['image/*', 5] } },
  }),
  definePlugins({
    // @ts-expect-error: a wrong value in a record.
    upload: { config: { breakpoints: { large: '1000' } } },
  }),
  definePlugins({
    // @ts-expect-error: a misspelt setting at depth.
    colour: { config: { palette: { primry: '#fff' } } },
  }),
  definePlugins({
    // @ts-expect-error: a misspelt setting in a record.
    colour: { config: { names: { red: { hx: '#f00' } } } },
  }),
  definePlugins({
    // @ts-expect-error: an object where a text is expected.
    upload: { config: { folder: {} } },
  }),
  definePlugins({
    // @ts-expect-error: settings belong below `config`.
    upload: { folder: 'x' },
  }),
  definePlugins({
    // @ts-expect-error: the plugin has no settings.
    passwords: { config: { rounds: 5 } },
  }),
  definePlugins({
    // @ts-expect-error: a misspelt plugin.
    'draft-publsh': true,
    other: true,
  }),
  definePlugins({
    // @ts-expect-error: a misspelt plugin.
    uplaod: { config: { sizeLimit: 5 } },
  }),
  definePlugins({
    // @ts-expect-error: neither true, false nor an object.
    upload: 'on',
  }),
  definePlugins({
    // @ts-expect-error: the same for a plugin that is not in the file.
    other: 'on',
  }),
  definePlugins({
    // @ts-expect-error: a misspelt word beside `config`.
    other: { enabld: false },
  }),
]

export const wrongByFunction = [
  definePlugins(() => ({
    // @ts-expect-error: a misspelt setting.
    'draft-publish': { config: { previewFr: 'all' } },
  })),
  definePlugins(({ env }) => ({
    other: true,
    // @ts-expect-error: a misspelt setting.
    upload: { config: { sizeLimit: env.int('SIZE', 5), alowedTypes: ['image/*'] } },
  })),
  definePlugins(() => ({
    // @ts-expect-error: a wrong value.
    'draft-publish': { config: { previewFor: 'alll' } },
  })),
  definePlugins(({ env }) => ({
    // @ts-expect-error: a text that is known at run time only.
    'draft-publish': { config: { previewFor: env('PREVIEW', 'all') } },
  })),
  definePlugins(() => ({
    // @ts-expect-error: a misspelt plugin.
    'draft-publih': true,
  })),
  definePlugins(() => ({
    // @ts-expect-error: a misspelt setting in one of two cases.
    upload: isProduction ? { config: { sizeLimt: 5 } } : true,
  })),
  // @ts-expect-error: a misspelt setting in the body of a function.
  definePlugins(() => {
    return { 'draft-publish': { config: { previewFr: 'all' } } }
  }),
  // @ts-expect-error: a misspelt setting in a function with a type of its argument.
  definePlugins(({ env }: { readonly env: Env }) => ({
    upload: { config: { folder: env('FOLDER'), alowedTypes: ['image/*'] } },
  })),
  // @ts-expect-error: the same in its body.
  definePlugins((tools: { env: Env }) => {
    const folder = tools.env('FOLDER')
    return { upload: { config: { folder, alowedTypes: ['image/*'] } } }
  }),
]
