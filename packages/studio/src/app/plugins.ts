// Loads the modules that plugins of the server bring: inputs and pages. One that cannot be used is reported and left out.

import { start } from '../api/start.ts'
import { pluginInputs } from '../inputs/plugin-inputs.ts'
import type { PluginPage, StudioPlugin } from '../shared/plugin.ts'

/** The reason why the module of a plugin is not used. */
export interface PluginFault {
  readonly plugin: string
  readonly reason: 'api' | 'failed'
}

/** A page, with the plugin that brings it. */
export interface AddedPage extends PluginPage {
  readonly plugin: string
}

export interface LoadedPlugins {
  readonly faults: readonly PluginFault[]
  readonly pages: readonly AddedPage[]
}

/** Loads them all at the same time. Never throws. */
export async function loadPlugins(): Promise<LoadedPlugins> {
  const loaded = await Promise.all(start.plugins.map(load))
  return { faults: loaded.flatMap(({ faults }) => faults), pages: loaded.flatMap(({ pages }) => pages) }
}

async function load({ name, module, styles }: (typeof start.plugins)[number]): Promise<LoadedPlugins> {
  try {
    if (styles !== null) addStyles(styles)
    const { default: plugin } = (await import(module)) as { readonly default: StudioPlugin }
    if (plugin?.api !== 1) return { faults: [{ plugin: name, reason: 'api' }], pages: [] }
    for (const [type, input] of Object.entries(plugin.inputs ?? {})) pluginInputs.set(type, input)
    return { faults: [], pages: (plugin.pages ?? []).map(page => ({ ...page, plugin: name })) }
  } catch (error) {
    console.warn(error)
    return { faults: [{ plugin: name, reason: 'failed' }], pages: [] }
  }
}

function addStyles(address: string): void {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = address
  document.head.append(link)
}

/** The name of a page in a language, or in the first that it has. */
export const labelOfPage = ({ label, path }: PluginPage, language: string): string =>
  label[language] ?? Object.values(label)[0] ?? path
