// The inputs that plugins bring. Apart from the panel's own, so that plugins can be loaded before the pages are.

import type { InputComponent } from './props.ts'

/** By the type of the attribute. They come before the panel's own. */
export const pluginInputs = new Map<string, InputComponent>()
