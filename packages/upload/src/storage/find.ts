// Finds the provider that stores files: the local disk, a module of the application or of a package, or one that the
// settings contain themselves.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError, suggestion } from '@plinth/kernel'
import type { UploadConfig } from '../config.ts'
import type { NamedProvider } from '../files.ts'
import type { UploadProvider, UploadProviderModule } from '../provider.ts'
import type { LocalProvider } from './local.ts'

const functions = ['store', 'remove', 'urlOf', 'open'] as const

/** The name of the local provider in records, as in v4. */
export const localName = 'local'

/** Providers of v4, by the names that its settings have for them: the name in its records, and the package that replaces it. */
const ofV4: Readonly<Record<string, { readonly name: string; readonly module: string }>> = {
  'aws-s3': { name: 'aws-s3', module: '@plinth/upload-s3' },
  '@strapi/provider-upload-aws-s3': { name: 'aws-s3', module: '@plinth/upload-s3' },
}

/** The provider that the settings name. Throws StartError if it cannot be loaded. */
export async function findProvider(
  { provider, providerOptions }: UploadConfig,
  dir: string,
  local: LocalProvider,
): Promise<NamedProvider> {
  if (provider === localName || provider === '@strapi/provider-upload-local')
    return { name: localName, provider: local }
  if (provider !== null && typeof provider === 'object')
    return { name: nameOf(provider), provider: checked(provider as UploadProvider, 'the provider') }
  if (typeof provider !== 'string') throw refused('must be a name or a provider')
  const source = ofV4[provider] ?? { name: provider, module: provider }
  const module = await load(source.module, dir)
  const init = module?.init
  const subject = source.module === provider ? `"${provider}"` : `"${provider}" is ${source.module} here, which`
  if (module === null) throw refused(`${subject} was not found${hintFor(provider, source.module)}`)
  if (typeof init !== 'function') throw refused(`${subject} has no function init in its default export`)
  return { name: source.name, provider: checked(await init.call(module, providerOptions), `init of "${provider}"`) }
}

/** Names that the settings may have without a package from elsewhere. */
const ownNames = [localName, 's3', 'aws-s3']

/** Returns a hint for a module that is not found, as the end of a sentence: a similar name or a command; empty for a path. */
function hintFor(provider: string, module: string): string {
  if (isPath(module)) return ''
  const near = ownNames.includes(provider) ? '' : suggestion(provider, ownNames)
  if (near !== '') return near
  return `: npm install ${module.startsWith('@') ? module : `@plinth/upload-${module}, or ${module}`}`
}

const isPath = (specifier: string) => /^[./]/.test(specifier)

/** The name in records of a provider that has none. */
function nameOf(provider: object): string {
  const { name } = provider as { readonly name?: unknown }
  return typeof name === 'string' ? name : 'custom'
}

function checked(provider: UploadProvider, what: string): UploadProvider {
  const missing = functions.filter(name => typeof provider?.[name] !== 'function')
  if (missing.length === 0) return provider
  throw refused(`${what} gives no object with the functions ${functions.join(', ')}; it lacks ${missing.join(', ')}`)
}

function refused(fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/plugins: upload.config.provider: ${fault}`)
}

/** The default export of a module, empty if it has none; null if there is no such module. */
async function load(specifier: string, dir: string): Promise<Partial<UploadProviderModule> | null> {
  const file = locate(specifier, dir)
  if (file === null) return null
  const module = (await import(pathToFileURL(file).href)) as { default?: UploadProviderModule }
  return module.default ?? {}
}

function locate(specifier: string, dir: string): string | null {
  if (isPath(specifier)) {
    const base = resolve(dir, specifier)
    return [base, `${base}.ts`, `${base}.js`].find(path => /\.[cm]?[jt]s$/.test(path) && existsSync(path)) ?? null
  }
  for (const name of [`@plinth/upload-${specifier}`, specifier]) {
    for (const from of [join(dir, 'package.json'), import.meta.filename]) {
      try {
        return createRequire(from).resolve(name)
      } catch {
        // It is not installed there; the next place is tried.
      }
    }
  }
  return null
}
