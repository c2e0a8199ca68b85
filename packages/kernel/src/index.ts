// The public surface of @plinth/kernel.

export { type AnswerLimits, type AnswerSize, checkSize, sizeOf, tooManyBytes, tooManyEntries } from './answer-size.ts'
export { type AuthStrategy, Auth, type Credentials } from './auth.ts'
export { type Access, type Context, createContext, openAccess, systemAccess, withRights } from './context.ts'
export type { DatabaseConfig } from './database/config.ts'
export type { Session, Transaction } from './database/session.ts'
export type { SyncReport } from './database/sync.ts'
export { defineComponent, defineContentType } from './define.ts'
export type { AttributeInputs, CommonOptions } from './model/input.ts'
export { authorize, Engine, type Execution, type Prepared, type ReadResult } from './engine.ts'
export type { MigrateMode } from './migrate/mode.ts'
export { type Env, env } from './env.ts'
export * from './errors.ts'
export type { HookName, HookOptions, HookRegistry, Hooks, Reply } from './hooks.ts'
export { createKernel, Kernel, type KernelOptions, type Logger } from './kernel.ts'
export type { Lifecycle, LifecycleEvent } from './lifecycles.ts'
export type { AliasType, ScalarType, Storage } from './model/attribute-types.ts'
export type {
  Attribute,
  AttributeDefinition,
  ComponentAttribute,
  ContentType,
  DormantAttribute,
  RelationAttribute,
  ScalarAttribute,
  TypeOptions,
  Uid,
  ZoneAttribute,
} from './model/content-type.ts'
export type { TypeDraft } from './model/draft.ts'
export type { Registry } from './model/registry.ts'
export type { ComponentSchema, ContentTypeSchema } from './model/schema.ts'
export { type Fault, findFaults } from './model/faults.ts'
export { nearest, suggestion } from './nearest.ts'
export * from './plan/condition.ts'
export type { PlanDraft } from './plan/draft.ts'
export type { Plan, PlanNode } from './plan/plan.ts'
export {
  definePlugin,
  definePlugins,
  type Plugin,
  type PluginDefinition,
  type PluginEntry,
  type PluginsConfig,
  type PluginTools,
} from './plugins.ts'
export type { Operator } from './query/operators.ts'
export { type PaginationRules, pageInfo } from './query/pagination.ts'
export type { Parameter, ParameterDefinition } from './query/parameters.ts'
export type { Params, ParseOptions } from './query/parse.ts'
export type { Action, Pagination, ParsedQuery, Query } from './query/query.ts'
export { type EntryPage, type Id, Repository } from './repository.ts'
export type { BranchRows, Entry, Member, NodeRows, Row } from './rows.ts'
export { toEntries } from './rows.ts'
export type { CompiledBranch, CompiledNode, CompiledPlan } from './sql/compile.ts'
export type { Codec, Dialect } from './sql/dialect.ts'
export { weighPrepared, weighValue } from './weight.ts'
export type { Requirement } from './write/parse.ts'
export type { Write, WriteAction, WriteResult } from './write/write.ts'
export { type Static, Type } from '#typebox'
