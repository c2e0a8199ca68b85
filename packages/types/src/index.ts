// The public surface of @plinth/types: describes a model, and writes the TypeScript types of its content.

export { describeModel, describeType } from './describe.ts'
export type {
  AttributeDescription,
  ComponentDescription,
  EmptyDescription,
  ModelDescription,
  MorphDescription,
  OperatorDescription,
  RelationDescription,
  TypeDescription,
  ValueDescription,
  ZoneDescription,
} from './description.ts'
export { type FileSchemas, writeFileSchemas } from './file-schemas.ts'
export { describeSettings, type PluginSettings, type PluginSettingsDescription } from './plugin-settings.ts'
export { writeTypes } from './write-types.ts'
