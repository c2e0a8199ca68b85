// Decides from the plan of a question whether its answer can be written as text: whether the plan has all that the output
// shows. It lacks what the caller may not see, and objects that code of extensions resolves. It looks at no row.

import type { AnswerBranch, AnswerNode, ScalarAttribute } from '@plinth/kernel'
import type { BranchMember, Member, ObjectOutput } from '../operation/output.ts'

const decided = new WeakMap<ObjectOutput, WeakMap<AnswerNode, boolean>>()

/** Returns whether rows of a node have all that an output about them shows. Decides once per output and plan. */
export function isComplete(output: ObjectOutput, node: AnswerNode): boolean {
  let byNode = decided.get(output)
  if (byNode === undefined) {
    byNode = new WeakMap()
    decided.set(output, byNode)
  }
  let complete = byNode.get(node)
  if (complete === undefined) {
    complete = output.members.every(member => hasMember(node, member))
    byNode.set(node, complete)
  }
  return complete
}

function hasMember(node: AnswerNode, member: Member): boolean {
  switch (member.kind) {
    case 'own':
      return member.leaf !== null && (member.attribute === null || hasAttribute(node, member.attribute))
    case 'scalar':
      return hasAttribute(node, member.attribute)
    case 'data':
    case 'same':
      return isComplete(member.of, node)
    case 'branch':
    case 'union': {
      const branch = node.branches.find(({ plan }) => plan.key === member.branch)
      return branch !== undefined && hasBranch(branch, member)
    }
    default:
      return true
  }
}

function hasAttribute({ plan }: AnswerNode, attribute: ScalarAttribute): boolean {
  return plan.attributes.some(({ name }) => name === attribute.name)
}

function hasBranch(branch: AnswerBranch, member: BranchMember): boolean {
  switch (branch.kind) {
    case 'relation':
    case 'component':
      return member.kind === 'branch' && isComplete(member.of, branch.child)
    case 'zone':
    case 'morph':
      return [...branch.children.values()].every(({ child }) => {
        const output = member.kind === 'union' ? member.of.get(child.plan.type.uid) : undefined
        return output !== undefined && isComplete(output, child)
      })
    default:
      return false
  }
}
