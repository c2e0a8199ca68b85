// Declares what the page for browsers shows. Only types.

import type { ApplicationName } from '../application-name.ts'

/** An action on the entries of a type. */
export interface ShownAction {
  readonly method: string
  readonly url: string
  /** True if whoever opened the page may do it. */
  readonly isAllowed: boolean
}

/** A content type with its addresses. */
export interface ShownType {
  readonly name: string
  readonly description: string | null
  readonly actions: readonly ShownAction[]
}

/** An address for people. */
export interface ShownPage {
  readonly name: string
  readonly url: string
}

/** The content of the page for browsers. */
export interface WelcomePage {
  readonly application: ApplicationName
  readonly types: readonly ShownType[]
  readonly pages: readonly ShownPage[]
  /** True if whoever opened the page has not logged in. */
  readonly isStranger: boolean
}
