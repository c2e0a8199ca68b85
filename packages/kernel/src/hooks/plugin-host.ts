// The types of what a server gives to plugins. The kernel knows no server, so they are empty here: the package of a
// server declares their members by declaration merging, as @plinth/server does with those of Fastify.

/**
 * The scope of Plinth's routes: parsers, hooks and the error handler of this instance apply only to them. With
 * `@plinth/server` it is a `FastifyInstance`: a plugin imports that package, or only its types, to see the members.
 */
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared by the package of the server
export interface PluginHost {}

/** A server that has no routes but Plinth's, whose settings plugins may change. */
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared by the package of the server
export interface WholeServer {}
