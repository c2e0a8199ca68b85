// Writes a config/plugins that picks, when the application starts, what Plinth has of settings that code of v4 makes.

import { buckets, hasBucket } from './buckets.ts'
import { mailProviders, mailSettings } from './mails.ts'
import type { RestSettings } from './middlewares.ts'
import { entryOf, type PluginsSource, type PluginsTranslation, settingsOfRest } from './plugins-source.ts'
import { middlewareSettings, settingNames } from './setting-names.ts'

/** The names of the files of v4, which stay beside the translated file. */
export const originals = { plugins: 'plugins-of-v4', middlewares: 'middlewares-of-v4' } as const

/** The file. `rest`: what was read of config/middlewares, null if there is none. */
export function pickingFile(
  source: PluginsSource,
  rest: RestSettings | null,
): Pick<PluginsTranslation, 'text' | 'left' | 'packages'> {
  const { plugins, language, enabled } = source
  const isTs = language === 'ts'
  const names = [...(plugins === null ? [] : ['plugins']), ...(rest?.settings === null ? ['middlewares'] : [])] as (
    | 'plugins'
    | 'middlewares'
  )[]
  const providers = plugins === null ? [] : mailProviders(plugins, source.dependencies)
  const any = isTs ? ': any' : ''
  const text = `// Code makes these settings in ${names.map(one => `${originals[one]}.${language}`).join(' and ')}, as in v4. Of them, those are taken that Plinth has.

${names.map(one => importOf(one, isTs)).join('\n')}

/** The settings that Plinth has, by its plugins. */
const settingNames${any} = ${JSON.stringify(Object.fromEntries(enabled.flatMap(name => (settingNames[name] ? [[name, settingNames[name]]] : []))))}

/** The providers that are stored in a bucket of S3, and those of mails that are installed. */
const buckets${any} = ${JSON.stringify(plugins !== null && hasBucket(plugins) ? buckets : [])}
const mailProviders${any} = ${JSON.stringify(providers.map(([name]) => name))}

const pick = (value${any}, names${any})${any} =>
  names === true || value === null || typeof value !== 'object'
    ? value
    : Object.fromEntries(Object.keys(names).flatMap(name => (name in value ? [[name, pick(value[name], names[name])]] : [])))

const valueOf = async (exported${any}, tools${any}) => (typeof exported === 'function' ? exported(tools) : exported) ?? {}

${isTs ? 'export default' : 'module.exports ='} async (tools${any}) => {
  const ofV4${any} = ${plugins === null ? '{}' : 'await valueOf(plugins, tools)'}
  const settings${any} = ${baseOf(source, rest)}
${rest?.settings === null ? restLines(source.isBase, settingsOfRest(source)) : ''}  for (const name of Object.keys(settingNames)) {
    const one = ofV4[name]
    if (one === undefined || one === null) continue
    if (typeof one !== 'object') settings[name] = one
    else settings[name] = { ...pick(one, { enabled: true }), config: pick(one.config ?? {}, settingNames[name]) }
  }
  const { provider, providerOptions, actionOptions } = ofV4.upload?.config ?? {}
  if (buckets.includes(provider) && settings.upload?.config)
    Object.assign(settings.upload.config, { provider }, providerOptions && { providerOptions }, actionOptions && { actionOptions })
  if (mailProviders.includes(ofV4.email?.config?.provider))
    settings.email = { ...pick(ofV4.email, { enabled: true }), config: pick(ofV4.email.config, ${JSON.stringify(mailSettings)}) }
  return settings
}
`
  const left =
    plugins === null
      ? []
      : [
          `is made by code, which stays in ${originals.plugins}.${language}: the settings that Plinth has are taken when the application starts, and nothing of other plugins`,
        ]
  return { text, left, packages: plugins === null ? [] : [...new Set(providers.map(([, name]) => name))] }
}

const importOf = (name: 'plugins' | 'middlewares', isTs: boolean) =>
  isTs ? `import ${name} from './${originals[name]}.ts'` : `const ${name} = require('./${originals[name]}')`

/** Returns what the application has, whatever the files of v4 say. */
function baseOf(source: PluginsSource, rest: RestSettings | null): string {
  const { enabled, isBase, guards } = source
  const settings = rest?.settings === null ? [] : settingsOfRest(source, rest?.settings)
  const ofRest = settings.length === 0 ? [] : [`rest: { config: { ${settings.join(', ')} } }`]
  const isPicked = rest?.settings === null
  const base = isBase && ofRest.length === 0 && !isPicked ? ['rest: true'] : ofRest
  const guardEntries = guards === null ? [] : [guards.replace(/,$/, '').replaceAll('\n', '\n  ')]
  const plugins = isBase ? [...enabled.map(name => `'${name}': ${entryOf(name, source)}`), ...guardEntries] : []
  // The texts of config/middlewares may use `env`.
  const text = `{ ${[...base, ...plugins].join(', ')} }`
  return settings.some(one => /\benv\b/.test(one)) ? `(({ env }) => (${text}))(tools)` : text
}

const restLines = (isBase: boolean, settings: readonly string[]) => `  const list = await valueOf(middlewares, tools)
  const named = name => list.find(one => one === name || one?.name === name)
  const rest = { ${settings} }
${Object.entries(middlewareSettings)
  .map(
    ([
      name,
      { setting, names },
    ]) => `  if (named('${name}')?.config) rest.${setting} = pick(named('${name}').config, ${JSON.stringify(names)})
`,
  )
  .join('')}  if (!named('strapi::cors')) rest.cors = false
${isBase ? '' : "  else if (!named('strapi::cors').config) rest.cors = true\n"}  settings.rest = { config: rest }
`
