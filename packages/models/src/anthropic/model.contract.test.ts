import { ANTHROPIC } from '../../test/families.js';
import { describeModelContract } from '../model.contract.js';

describeModelContract(ANTHROPIC);
