// The API that third-party plugins import as `@plinth/studio/plugin`. It is a contract: exports stay while `api` is 1.

import type { ComponentType } from 'react'
import type { InputComponent } from '../inputs/props.ts'

export { ask } from '../api/http.ts'
export { useFormValue } from '../form/context.tsx'
export type { InputProps } from '../inputs/props.ts'
export type { Attribute } from '../model/types.ts'
export { Button } from '../ui/button.tsx'
export { Checkbox } from '../ui/checkbox.tsx'
export { Dialog } from '../ui/dialog.tsx'
export { Notice } from '../ui/notice.tsx'
export { Select } from '../ui/select.tsx'
export { TextField } from '../ui/text-field.tsx'
export { toast } from '../ui/toasts.tsx'

/** A page of a plugin, at `/plugins/<plugin>/<path>` below the panel. */
export interface PluginPage {
  readonly path: string
  /** Its name in the navigation, by language: `{ en: 'Colours', de: 'Farben' }`. */
  readonly label: Readonly<Record<string, string>>
  readonly component: ComponentType
  /** The action without which it is not shown. */
  readonly needs?: string
}

/** The inputs and pages that a plugin adds to the panel. */
export interface StudioPlugin {
  /** The version of this contract. */
  readonly api: 1
  /** Inputs by attribute type, or by the uid of a custom field: `plugin::color.color`. */
  readonly inputs?: Readonly<Record<string, InputComponent>>
  readonly pages?: readonly PluginPage[]
}

/** Returns the definition, which the module of a plugin exports by default. */
export const defineStudioPlugin = (plugin: StudioPlugin): StudioPlugin => plugin
