// What marks a plugin of Fastify whose hooks are those of its parent. It is in a module here so that it is not installed.

export { default } from 'fastify-plugin'
