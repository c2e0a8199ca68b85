// Reads what the page says about where the panel and the API are.

/** The paths of the panel and of the API, and the name of the panel. */
export interface Start {
  readonly path: string
  readonly api: string
  readonly title: string
}

export const start: Start = JSON.parse(document.getElementById('studio-start')!.textContent)
