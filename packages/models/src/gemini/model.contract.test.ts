import { GEMINI } from '../../test/families.js';
import { describeModelContract } from '../model.contract.js';

describeModelContract(GEMINI);
