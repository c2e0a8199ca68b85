// The plugin custom-fields: says the base types of custom fields, by settings and for fields of published v4 plugins. It
// knows neither schemas nor columns: the kernel makes attributes of them.

import { definePlugin, Type } from '@plinth/kernel'
import { knownFields } from './known-fields.ts'

export { knownFields } from './known-fields.ts'

export default definePlugin({
  name: 'custom-fields',
  // Registrations by the code of the project itself come before the list.
  after: ['v4'],
  config: Type.Object(
    {
      baseTypes: Type.Record(Type.String(), Type.String(), {
        default: {},
        description: "Base types by the names of fields, such as `{ 'plugin::paint.colour': 'string' }`.",
      }),
    },
    { additionalProperties: false },
  ),
  register({ kernel, config }) {
    for (const [name, type] of Object.entries(config.baseTypes))
      kernel.customFields.add(name, { type, source: 'config/plugins' })
    for (const [name, type] of Object.entries(knownFields))
      kernel.customFields.add(name, { type, isFallback: true, source: 'the list of known fields' })
  },
})
