// A v4 project as data: the result of reading it. Every place is a path relative to the project.

/** The built-in actions of a content type. */
export type Operation = 'find' | 'findOne' | 'create' | 'update' | 'delete'

/** A place in a file; `line` counts from 1, and is 0 for the whole file. */
export interface Place {
  readonly file: string
  readonly line: number
}

/** A content type of `src/api`. */
export interface TypeOfProject {
  /** `api::<api>.<name>` */
  readonly uid: string
  readonly api: string
  readonly name: string
  readonly isSingle: boolean
  readonly singularName: string
  readonly pluralName: string
  /** The names of its attributes; null if they could not be read. */
  readonly attributes: readonly string[] | null
  /** True if its entries have translations. */
  readonly isLocalized: boolean
  /** Its relations to other types: the name of the attribute, and the uid of the target. */
  readonly relations: readonly { readonly attribute: string; readonly target: string }[]
  readonly file: string
}

/** The meaning of `config.auth` of a route: the usual right, nobody needs one, or the rights to all these actions. */
export type RouteAuth = 'usual' | 'none' | { readonly scope: readonly string[] }

/** A policy or a middleware in a list of a route; `name` is null for a function or what could not be read. */
export interface RouteUse {
  readonly name: string | null
}

/** A route of `src/api`, in the order in which v4 tries them. */
export interface Route extends Place {
  readonly api: string
  /** In capitals; `ALL` stands for every method. */
  readonly method: string
  /** Below the prefix of the API, as v4 writes it: `/notes/:id`. */
  readonly path: string
  /** `api::<api>.<controller>.<action>`; null if it is a function, a list or could not be read. */
  readonly action: string | null
  /** True if `createCoreRouter` makes it. */
  readonly isCore: boolean
  /** `unknown`: it could not be read. */
  readonly auth: RouteAuth | 'unknown'
  readonly policies: readonly RouteUse[]
  readonly middlewares: readonly RouteUse[]
}

/** A method of a controller or a service. */
export interface Method {
  readonly name: string
  readonly line: number
  /** True if it calls `super.<name>`. */
  readonly callsSuper: boolean
}

/** An action that an extension adds to a plugin; `name` is its uid. */
export interface AddedMethod extends Place {
  readonly name: string
}

/** A controller or service of `src/api`. */
export interface Code extends Place {
  /** `api::<api>.<file>` */
  readonly uid: string
  /** The type whose factory it is made of; null for a plain object. */
  readonly base: string | null
  /** Its own methods. */
  readonly methods: readonly Method[]
  /** The reason why there may be other methods; null if all could be read. */
  readonly fault: string | null
}

/** A policy or middleware that the project has. */
export interface NamedHandler {
  /** `global::<file>` or `api::<api>.<file>` */
  readonly uid: string
  readonly file: string
}

/** The lifecycles of a type. */
export interface LifecyclesOf {
  readonly uid: string
  readonly file: string
  readonly events: readonly string[]
}

/** A cron task; `time` is the rule by which it runs, null if it could not be read. */
export interface CronTask {
  readonly name: string
  readonly time: string | null
}

/** A file that could not be read, or only in part. */
export interface FileFault extends Place {
  readonly why: string
}

/** A use of one of v4's objects in code. */
export interface Use extends Place {
  readonly object: 'strapi' | 'ctx' | 'super' | 'this' | 'event' | 'policyContext'
  /**
   * The names behind the object: `entityService.findMany`, `request.body`. Arguments of calls in between are left out.
   */
  readonly path: string
  /** The first text that is handed to a call of it, such as a uid; null if there is none. */
  readonly argument: string | null
}

/** Code before or in place of a built-in action, so that Plinth shuts it. */
export interface Guard extends Place {
  /** The action: `api::note.note.find`, `plugin::users-permissions.user.me`. */
  readonly action: string
  readonly kind: 'policy' | 'middleware' | 'controller' | 'service' | 'route' | 'extension' | 'start' | 'unread'
  /** A sentence without a subject: `the policy is-owner is not run`. */
  readonly why: string
  /** `graphql`: only what GraphQL answers is concerned; REST goes on as in v4. */
  readonly shuts: 'all' | 'graphql'
  /** The global middleware, by the name by which it can be opened for all actions; undefined for other guards. */
  readonly by?: string
}

/** The method and path at which REST serves a built-in action. */
export interface ServedRoute {
  readonly method: string
  /** Below the prefix of the API. */
  readonly path: string
  readonly operation: Operation
}

/** The settings of routers for one type that need no code. */
export interface Router {
  readonly uid: string
  /** The routes of built-in actions; those that are left out are not served. */
  readonly routes: readonly ServedRoute[]
  /** The value of `config.auth`, where it is not the usual right. */
  readonly auth: Readonly<Partial<Record<Operation, Exclude<RouteAuth, 'usual'>>>>
  /** Actions before which only a policy stands that Plinth has itself: the user must have logged in. */
  readonly needsUser: readonly Operation[]
}

/** A custom field that the project registers itself. */
export interface OwnField extends Place {
  /** As schemas name it: `plugin::paint.colour`, `global::palette`. */
  readonly name: string
  /** The base type, as it is written. */
  readonly type: string
}

/** An attribute that a query compares. */
export interface ComparedPath extends Place {
  readonly uid: string
  readonly attribute: string
  readonly by: 'sort' | 'filter'
}

/** A v4 project that was read. */
export interface V4Project {
  readonly dir: string
  readonly language: 'js' | 'ts'
  readonly types: readonly TypeOfProject[]
  readonly routes: readonly Route[]
  /** The additions of extensions to plugins. */
  readonly additions: { readonly routes: readonly Route[]; readonly methods: readonly AddedMethod[] }
  readonly routers: readonly Router[]
  readonly controllers: readonly Code[]
  readonly services: readonly Code[]
  readonly policies: readonly NamedHandler[]
  readonly middlewares: readonly NamedHandler[]
  readonly lifecycles: readonly LifecyclesOf[]
  /** The cron tasks that config/server names; null if they could not be read. */
  readonly cronTasks: readonly CronTask[] | null
  readonly uses: readonly Use[]
  /** Attributes by which its queries sort and filter. */
  readonly compared: readonly ComparedPath[]
  readonly guards: readonly Guard[]
  readonly customFields: readonly OwnField[]
  readonly faults: readonly FileFault[]
}
