// The public surface of @plinth/kernel.

export type { AnswerBranch, AnswerNode } from './answer/answer-node.ts'
export { type AnswerSize, checkSize, sizeOf, tooManyBytes, tooManyEntries } from './answer/size.ts'
export type { ActionRules, Actions } from './boot/actions.ts'
export type { AppModule, AppTools } from './boot/app.ts'
export type { Auth, AuthStrategy, Credentials } from './boot/auth.ts'
export type { Command, CommandGroup, CommandOption, CommandTools } from './boot/commands.ts'
export { loadConfig } from './boot/config.ts'
export {
  type Access,
  type AnswerLimits,
  type Context,
  createContext,
  openAccess,
  systemAccess,
  withRights,
} from './context.ts'
export type { DatabaseConfig } from './databases/config.ts'
export type { StatementObserver } from './database/observer.ts'
export type { Session, Transaction } from './database/session.ts'
export type { PoolUsage } from './database/pool.ts'
export type { Readiness, ReadinessCheck } from './boot/readiness.ts'
export type { SyncReport } from './migrate/start.ts'
export { defineComponent, defineContentType } from './model/define.ts'
export type { AttributeInputs, CommonOptions } from './model/input.ts'
export type { Execution, ReadResult } from './answer/execution.ts'
export type { MigrateMode } from './migrate/mode.ts'
export { type Env, env } from './boot/env.ts'
export { freezeModel, type ModelOptions } from './boot/freeze-model.ts'
export type { AnswerCodes, ErrorCode, ErrorCodes } from './error-codes.ts'
export * from './errors.ts'
export type { RowCount } from './row-count.ts'
export { withMaxCost } from './query/max-cost.ts'
export type { HookName, HookOptions, HookRegistry, Hooks, OwnHookName, Reply } from './hooks/hooks.ts'
export { createKernel, type Mount } from './boot/create-kernel.ts'
export type {
  Policies,
  Policy,
  PolicyContext,
  PolicyHandler,
  PolicyRun,
  PolicyTools,
  PolicyUse,
} from './boot/policies.ts'
export type { Kernel } from './boot/kernel.ts'
export type { KernelOptions, Logger, SettingsByFile } from './boot/options.ts'
export type { SecretSource } from './boot/secrets.ts'
export type { PluginServices, Service, Services, ServiceSet } from './boot/services.ts'
export type { Lifecycle, LifecycleEvent } from './hooks/lifecycles.ts'
export type { AliasType, ScalarType, Storage } from './model/attribute-types.ts'
export type {
  Attribute,
  AttributeDefinition,
  ComponentAttribute,
  ContentType,
  DormantAttribute,
  Operation,
  RelationAttribute,
  ScalarAttribute,
  TypeOptions,
  Uid,
  ZoneAttribute,
} from './model/content-type.ts'
export type { CustomField, CustomFieldSet, SettledField } from './model/base-types.ts'
export type { FindColumn } from './model/settle-fields.ts'
export type { TypeDraft } from './model/draft.ts'
export { loadModel, type ModelFile, type ModelFiles } from './model/load.ts'
export type { Registry } from './model/registry.ts'
export type { TypeSettings } from './model/type-settings.ts'
export type { ComponentSchema, ContentTypeSchema } from './model/schema.ts'
export { type Fault, findFaults } from './model/faults.ts'
export { typoOf } from './model/typo.ts'
export { nearest, suggestion } from './nearest.ts'
export type { Calculation } from './plan/calculation.ts'
export * from './plan/condition.ts'
export type { MetaSource, PlanDraft, Via } from './plan/draft.ts'
export {
  definePlugin,
  definePlugins,
  type EnabledPlugin,
  type Plugin,
  type PluginDefinition,
  type PluginEntry,
  type PluginsConfig,
  type PluginTools,
  resolvePlugins,
} from './boot/plugins.ts'
export { checkOptions, kernelOptions } from './boot/option-checks.ts'
export type { PluginHost, WholeServer } from './hooks/plugin-host.ts'
export type { Operator } from './query/operators.ts'
export type {
  FindOneOptions,
  FindOptions,
  ParameterOptions,
  PopulateOption,
  PopulateOptions,
  WriteOptions,
} from './query/options.ts'
export { Under, under } from './query/under.ts'
export { type PaginationRules, pageInfo } from './query/pagination.ts'
export type { ParameterOffer } from './query/parameters.ts'
export type { DeletedRule, Parameter, ParameterDefinition } from './plan/parameters.ts'
export type { Params } from './query/parse.ts'
export type { Action, OwnMeta, Pagination, Query, Stage } from './query/query.ts'
export { redactLine } from './redaction/line.ts'
export { redactText } from './redaction/text.ts'
export { authorPrefix } from './registration/blame.ts'
export type { ContentWriter, EntrySource } from './boot/content-writer.ts'
export type { EntryPage, Id, Repository } from './boot/repository.ts'
export type { BranchRows, Entry, Member, NodeRows, Row } from './answer/rows.ts'
export { toEntries } from './answer/rows.ts'
export type { Codec } from './sql/dialect.ts'
export type { Answer, PreparedRead, Reader, ReadOptions, ReadRequest } from './read/reader.ts'
export { TextReader } from './read/text-reader.ts'
export type { Completeness, VisitValue, Write, WriteAction, WrittenValue } from './hooks/write.ts'
export type { CreateRequest, DeleteRequest, SingleRequest, UpdateRequest } from './write/requests.ts'
export { type Static, Type } from '#typebox'
