import { describe } from 'vitest';
import type { FamilyUnderTest } from '../test/families.js';
import { describeAdaptation } from './contract/adaptation.contract.js';
import { describeAnswers } from './contract/answers.contract.js';
import { describeEndings } from './contract/endings.contract.js';
import { describeRefusals } from './contract/refusals.contract.js';
import { describeStreamFaults } from './contract/stream-faults.contract.js';
import { describeWire } from './contract/wire.contract.js';

/** The contract of all families, over real HTTP with the real client library. */
export function describeModelContract(family: FamilyUnderTest): void {
  describe(`model contract: ${family.name}`, () => {
    describeAnswers(family);
    describeAdaptation(family);
    describeWire(family);
    describeRefusals(family);
    describeStreamFaults(family);
    describeEndings(family);
  });
}
