// Reads what the page says about where the panel and the API are.

/** The module that a plugin of the server brings, and its styles. */
export interface PluginModule {
  readonly name: string
  readonly module: string
  readonly styles: string | null
}

/** The paths of the panel and of the API, and the name of the panel. */
export interface Start {
  readonly path: string
  readonly api: string
  /** The prefix of the server; empty for none. */
  readonly root: string
  readonly title: string
  readonly plugins: readonly PluginModule[]
}

export const start: Start = JSON.parse(document.getElementById('studio-start')!.textContent)
